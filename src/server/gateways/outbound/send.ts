import {
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions as NodeRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { connect, type LookupFunction, type NetConnectOpts } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { OutboundError } from './outbound-error.ts'
import { privateAddresses } from './private-addresses.ts'

export interface SendOptions {
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string> | undefined
  body?: string | Buffer | undefined
  signal: AbortSignal
  /** The owner has said that this address may be in a private network. */
  allowsPrivate: boolean
  /** From the look-up of the name to the end of the TLS handshake. */
  connectMs?: number
  /** From then to the headers of the response. */
  headersMs?: number
  /** For tests. */
  lookup?: LookupFunction | undefined
}

export function parseAddress(address: string | URL, base?: URL): URL {
  const url = URL.parse(String(address), base)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!url || !isWeb || url.username !== '' || url.password !== '') throw new OutboundError('address')
  return url
}

/**
 * Sends one request and resolves when the headers of the response are here. The address that is dialled is checked, not the
 * name, so that a name cannot turn into a private address between a check and the connection. Proxies of the environment are
 * not used: they would dial for us. Each connection serves one request.
 */
export function send(url: URL, options: SendOptions): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal, allowsPrivate, lookup, connectMs, headersMs } = options
  const isSecure = url.protocol === 'https:'
  const request: NodeRequest = {
    method,
    headers: { 'user-agent': 'wendou', ...headers },
    signal,
    agent: (allowsPrivate ? uncheckedAgents : checkedAgents)[isSecure ? 'https' : 'http'],
    ...(lookup && { lookup }),
  }
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? requestHttps : requestHttp)(url, request, (response) => {
      clearTimeout(timer)
      resolve(response)
    })
    const limit = (ms: number | undefined) =>
      ms === undefined ? undefined : setTimeout(() => sent.destroy(new OutboundError('timeout')), ms)
    let timer = limit(connectMs)
    sent.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer)
        timer = limit(headersMs)
      })
    })
    // Stays after the headers: an error that nothing listens to would end the process.
    sent.on('error', reject)
    sent.on('close', () => clearTimeout(timer))
    sent.end(body)
  })
}

class CheckedHttpAgent extends HttpAgent {
  override createConnection(options: object) {
    return connect({ ...options, blockList: privateAddresses } as NetConnectOpts)
  }
}

/** Node does not hand the list on when it opens a TLS connection itself. */
class CheckedHttpsAgent extends HttpsAgent {
  override createConnection(options: object) {
    const socket = connect({ ...options, blockList: privateAddresses } as NetConnectOpts)
    const secure = connectTls({ ...(options as ConnectionOptions), socket })
    socket.on('error', (error) => secure.destroy(error))
    return secure
  }
}

const checkedAgents = { http: new CheckedHttpAgent(), https: new CheckedHttpsAgent() }
const uncheckedAgents = { http: new HttpAgent(), https: new HttpsAgent() }
