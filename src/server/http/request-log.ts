import { randomBytes } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Logger } from '../log.ts'

/** One line for each request, under a number that its answer carries too. */
export function requestLog(log: Logger): MiddlewareHandler<{ Variables: { requestId: string } }> {
  return async (context, next) => {
    const started = performance.now()
    const id = randomBytes(9).toString('base64url')
    context.set('requestId', id)
    await next()
    context.header('x-request-id', id)
    const { method, path } = context.req
    const ms = Math.round(performance.now() - started)
    log.info({ id, method, path: withoutKeys(path), status: context.res.status, ms }, 'request')
  }
}

/** Some addresses carry what opens them. */
function withoutKeys(path: string): string {
  return path.replace(/^(\/download|\/view\/\w+|\/api\/v1\/upload\/tus)\/[^/]+/, '$1/…')
}
