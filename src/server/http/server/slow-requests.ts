import type { Server } from 'node:http'

/** Long enough for any request but an upload. */
const receiveTimeoutMs = 120_000

/**
 * Closes requests that take too long to arrive. Node's own `requestTimeout` has no exceptions, and an upload may take hours:
 * uploads use `withBodyTimeout`.
 */
export function endSlowRequests(
  server: Server,
  mayTakeLong: (path: string) => boolean,
  withinMs = receiveTimeoutMs,
): void {
  server.requestTimeout = 0
  server.prependListener('request', (request) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    // Without a body it has arrived completely.
    if ((!length && !encoding) || mayTakeLong(request.url ?? '')) return
    const timer = setTimeout(() => {
      if (!request.complete) request.destroy()
    }, withinMs)
    request.once('close', () => clearTimeout(timer))
  })
}
