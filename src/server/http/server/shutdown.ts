import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Gives a function that shuts a server down gracefully: no new connections, and each open one ends with the response that
 * it waits for. Keep-alive alone would let a page that polls hold its connection for ever. After `graceMs` connections are
 * closed as they are.
 */
export function gracefulShutdown(server: Server, graceMs: number): () => Promise<void> {
  // By connection: to follow the end of every response would cost each of them more than this does.
  const latest = new Map<Socket, ServerResponse>()
  let isClosing = false
  server.on('connection', (socket: Socket) => socket.once('close', () => latest.delete(socket)))
  server.prependListener('request', ({ socket }, response) => {
    if (isClosing) response.shouldKeepAlive = false
    latest.set(socket, response)
  })
  return () =>
    new Promise((done) => {
      isClosing = true
      for (const response of latest.values()) response.shouldKeepAlive = false
      server.close(() => done())
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), graceMs).unref()
    })
}
