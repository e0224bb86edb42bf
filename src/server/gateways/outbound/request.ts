import { request as requestHttp, Agent as HttpAgent, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { request as requestHttps, Agent as HttpsAgent } from 'node:https'
import { connect, type NetConnectOpts } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { privateAddresses } from './private-addresses.ts'

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: string | Buffer
  /** From the first byte sent to the last one received. */
  timeoutMs?: number
  maxBytes?: number
  /** The owner has said that this address may be in a private network. */
  allowsPrivate?: boolean
}

export interface OutboundResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export type OutboundFailure = 'address' | 'private' | 'unreachable' | 'timeout' | 'too-long'

/** The message never holds the address: secrets may stand in its query. */
export class OutboundError extends Error {
  readonly reason: OutboundFailure

  constructor(reason: OutboundFailure, cause?: unknown) {
    super(explanations[reason], { cause })
    this.name = 'OutboundError'
    this.reason = reason
  }
}

const explanations: Record<OutboundFailure, string> = {
  address: '地址不对：只能是 http 或 https 开头的网址，且不带用户名和密码',
  private: '这是内网地址，为安全起见不能访问',
  unreachable: '连接不上，请检查网络和地址',
  timeout: '对方迟迟没有回答',
  'too-long': '对方的回答过长',
}

const defaultTimeoutMs = 10_000
const defaultMaxBytes = 1024 * 1024

/**
 * Requests an address that an owner or a member named. The address that is dialled is checked, not the name, so that a name
 * cannot turn into a private address between a check and the connection. Redirects are not followed, and proxies of the
 * environment are not used: they would dial for us.
 */
export function requestOutside(address: string | URL, options: OutboundRequest = {}): Promise<OutboundResponse> {
  const { method = 'GET', headers, body, maxBytes = defaultMaxBytes, allowsPrivate = false } = options
  const url = parseAddress(address)
  const signal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
  const isSecure = url.protocol === 'https:'
  const request: RequestOptions = {
    method,
    headers: { 'user-agent': 'wendou', ...headers },
    signal,
    agent: (allowsPrivate ? uncheckedAgents : checkedAgents)[isSecure ? 'https' : 'http'],
  }
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? requestHttps : requestHttp)(url, request, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) sent.destroy(new OutboundError('too-long'))
        else chunks.push(chunk)
      })
      response.on('error', (error) => reject(toOutboundError(error, signal)))
      response.on('end', () => {
        resolve({ status: Number(response.statusCode), headers: response.headers, body: Buffer.concat(chunks) })
      })
    })
    sent.on('error', (error) => reject(toOutboundError(error, signal)))
    sent.end(body)
  })
}

function parseAddress(address: string | URL): URL {
  const url = URL.parse(address)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!url || !isWeb || url.username !== '' || url.password !== '') throw new OutboundError('address')
  return url
}

function toOutboundError(error: Error & { code?: unknown }, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (signal.aborted) return new OutboundError('timeout', error)
  const isBlocked = [error, ...(error instanceof AggregateError ? error.errors : [])].some(
    (each) => each.code === 'ERR_IP_BLOCKED',
  )
  return new OutboundError(isBlocked ? 'private' : 'unreachable', error)
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
