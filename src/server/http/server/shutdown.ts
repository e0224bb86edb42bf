import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Gives what ends a server: no new connections, and each that is open ends with the answer it waits for. Without that, a page
 * that asks on and on over one connection would keep the server from ending. After `withinMs` nobody is waited for.
 */
export function closer(server: Server, withinMs: number): () => Promise<void> {
  // By connection: to note the end of every answer would cost each of them more than this does.
  const latest = new Map<Socket, ServerResponse>()
  let closing = false
  server.on('connection', (socket: Socket) => socket.once('close', () => latest.delete(socket)))
  server.prependListener('request', ({ socket }, response) => {
    if (closing) response.shouldKeepAlive = false
    latest.set(socket, response)
  })
  return () =>
    new Promise((done) => {
      closing = true
      for (const response of latest.values()) response.shouldKeepAlive = false
      server.close(() => done())
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), withinMs).unref()
    })
}
