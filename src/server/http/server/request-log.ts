import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from '#server/log.ts'
import type { ObservedRequest } from '../site/metrics/requests.ts'

export interface LoggedRequest {
  id: string
  method: string
  path: string
  status: number
  ms: number
}

/** One line for each request, with the id that its response has too. */
export function requestLog(
  log: Logger,
  observe: (request: ObservedRequest) => void,
): MiddlewareHandler<{ Variables: { requestId: string } }> {
  const write = requestLogger(log, observe)
  return async (context, next) => {
    const started = performance.now()
    const id = createRequestId()
    context.set('requestId', id)
    await next()
    context.header('x-request-id', id)
    const { method, path } = context.req
    write({ id, method, path, status: context.res.status, ms: performance.now() - started })
  }
}

/** Scripts, styles and icons of pages: fifty for each page that is opened for the first time. */
const assets = /^\/(?:assets|icons|fonts)\/|^\/[\w-]+\.(?:ico|js|svg|png|webmanifest)$/

export function requestLogger(
  log: Logger,
  observe: (request: ObservedRequest) => void,
): (request: LoggedRequest) => void {
  return ({ id, method, path, status, ms }) => {
    observe({ method, path, status, seconds: ms / 1000 })
    const level = assets.test(path) && status < 400 ? 'debug' : 'info'
    log[level]({ id, method, path: withoutSecrets(path), status, ms: Math.round(ms) }, 'request')
  }
}

/** Distinguishes requests in the log: it need not be unguessable. */
export function createRequestId(): string {
  return Math.random().toString(36).slice(2, 14).padEnd(12, '0')
}

/** Some addresses contain a token. */
function withoutSecrets(path: string): string {
  return path.replace(/^(\/download(?:\/backup|\/export)?|\/view\/\w+|\/api\/v1\/upload\/tus)\/[^/]+/, '$1/…')
}

/** Unset for calls that server rendering makes in process. */
export function requestId(context: Context): string {
  return context.get('requestId') ?? ''
}
