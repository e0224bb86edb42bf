import type { MiddlewareHandler } from 'hono'
import type { Logger } from '#server/log.ts'
import type { Observed } from '../site/metrics/requests.ts'

export interface Noted {
  id: string
  method: string
  path: string
  status: number
  ms: number
}

/** One line for each request, under a number that its answer carries too. */
export function requestLog(
  log: Logger,
  observe: (asked: Observed) => void,
): MiddlewareHandler<{ Variables: { requestId: string } }> {
  const note = requestNote(log, observe)
  return async (context, next) => {
    const started = performance.now()
    const id = requestNumber()
    context.set('requestId', id)
    await next()
    context.header('x-request-id', id)
    const { method, path } = context.req
    note({ id, method, path, status: context.res.status, ms: performance.now() - started })
  }
}

export function requestNote(log: Logger, observe: (asked: Observed) => void): (noted: Noted) => void {
  return ({ id, method, path, status, ms }) => {
    observe({ method, path, status, seconds: ms / 1000 })
    log.info({ id, method, path: withoutKeys(path), status, ms: Math.round(ms) }, 'request')
  }
}

/** Tells requests apart, and nothing else: whoever can guess one gains nothing. */
export function requestNumber(): string {
  return Math.random().toString(36).slice(2, 14).padEnd(12, '0')
}

/** Some addresses carry what opens them. */
function withoutKeys(path: string): string {
  return path.replace(/^(\/download|\/view\/\w+|\/api\/v1\/upload\/tus)\/[^/]+/, '$1/…')
}
