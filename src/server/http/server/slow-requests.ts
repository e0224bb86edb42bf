import type { Server } from 'node:http'

/** Long enough for any request but an upload. */
const arriveWithinMs = 120_000

/**
 * Ends requests that take too long to arrive. Node's own limit knows no exceptions, and an upload may rightly take hours:
 * those see for themselves that something keeps coming.
 */
export function endSlowRequests(
  server: Server,
  mayTakeLong: (path: string) => boolean,
  withinMs = arriveWithinMs,
): void {
  server.requestTimeout = 0
  server.prependListener('request', (request) => {
    const { 'content-length': length, 'transfer-encoding': pieces } = request.headers
    // Without a body it has arrived.
    if ((!length && !pieces) || mayTakeLong(request.url ?? '')) return
    const timer = setTimeout(() => {
      if (!request.complete) request.destroy()
    }, withinMs)
    request.once('close', () => clearTimeout(timer))
  })
}
