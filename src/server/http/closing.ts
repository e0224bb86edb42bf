import type { Server, ServerResponse } from 'node:http'

/**
 * Gives what ends a server: no new connections, and each that is open ends with the answer it waits for. Without that, a page
 * that asks on and on over one connection would keep the server from ending. After `withinMs` nobody is waited for.
 */
export function closer(server: Server, withinMs: number): () => Promise<void> {
  const underWay = new Set<ServerResponse>()
  let closing = false
  server.prependListener('request', (_request, response) => {
    if (closing) response.shouldKeepAlive = false
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  return () =>
    new Promise((done) => {
      closing = true
      for (const response of underWay) response.shouldKeepAlive = false
      server.close(() => done())
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), withinMs).unref()
    })
}
