import { noAnswer } from '#shared/spider.ts'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A web server of the tests that remembers how it was asked. */
export interface WebServer {
  /** Without a slash at its end. */
  origin: string
  log: LoggedRequest[]
  /** The paths that were requested, with their queries, in order. */
  paths(): string[]
  close(): Promise<void>
}

export interface LoggedRequest {
  method: string
  /** With its query, as in the request line. */
  path: string
  headers: IncomingMessage['headers']
  status: number
  /** By the clock of the server. */
  at: number
  /** When the response was sent or the client went away; undefined before that. */
  endedAt: number | undefined
  /** Requests that were open when this one arrived, itself among them. */
  atOnce: number
  /** Which connection it came on, from 1. */
  connection: number
}

export interface WebRequest {
  url: URL
  path: string
  headers: IncomingMessage['headers']
  /** How often this path was requested, this time included. */
  visit: number
}

export interface Answer {
  status?: number
  headers?: OutgoingHttpHeaders
  /** What is iterated is streamed as fast as the client reads, until it goes away. */
  body?: string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  /** Cuts the connection after the body. */
  breaksOff?: boolean
}

export type Handler = (request: WebRequest) => Answer | Promise<Answer>

export interface WebServerOptions {
  /** For the times in the log. */
  now?: () => number
  /** A fixed port, for a server that comes back under the same address. */
  port?: number
}

export async function openWebServer(
  handler: Handler,
  { now = Date.now, port = 0 }: WebServerOptions = {},
): Promise<WebServer> {
  const log: LoggedRequest[] = []
  const visits = new Map<string, number>()
  const connections = new WeakMap<object, number>()
  let connectionCount = 0
  let open = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '/', headers, socket } = request
    const connection = connections.get(socket) ?? 0
    const logged: LoggedRequest = {
      method,
      path,
      headers,
      status: noAnswer,
      at: now(),
      endedAt: undefined,
      atOnce: (open += 1),
      connection,
    }
    log.push(logged)
    response.on('close', () => {
      open -= 1
      logged.endedAt = now()
    })
    const visit = (visits.get(path) ?? 0) + 1
    visits.set(path, visit)
    const {
      status = 200,
      headers: sent = {},
      body = '',
      breaksOff,
    } = await handler({
      // A request target may be any bytes: an address that cannot be parsed is no reason for a test server to end.
      url: URL.parse(path, origin) ?? new URL(origin),
      path,
      headers,
      visit,
    })
    logged.status = status
    const isWhole = typeof body === 'string' || body instanceof Uint8Array
    // Lengths are sent only where the answer names one: lies are among the things to be tested.
    response.writeHead(status, isWhole && !breaksOff ? { 'content-length': Buffer.byteLength(body), ...sent } : sent)
    if (isWhole) await new Promise((resolve) => response.write(body, resolve))
    // A client that goes away in the middle of a response is what many traps are for.
    else await pipeline(Readable.from(body, { objectMode: true }), response, { end: false }).catch(() => {})
    if (breaksOff) response.destroy()
    else response.end()
  }

  const server = createServer((request, response) => void answer(request, response))
  server.on('connection', (socket) => connections.set(socket, (connectionCount += 1)))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    log,
    paths: () => log.map(({ path }) => path),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The most requests that were open at the same time. */
export function mostAtOnce(log: readonly LoggedRequest[]): number {
  return Math.max(0, ...log.map(({ atOnce }) => atOnce))
}

/**
 * From the arrival of each request to that of the next, in milliseconds. A thread that is held up can only make them longer:
 * the client's pause begins after the one, and ends before the other.
 */
export function gapsBetween(log: readonly LoggedRequest[]): number[] {
  return log.slice(1).map(({ at }, index) => at - (log[index]?.at ?? at))
}
