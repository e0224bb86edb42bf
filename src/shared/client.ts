import { ApiError, type FieldProblem } from './errors.ts'
import type { Ask, Endpoint, Reply } from './endpoint.ts'
import { encode, fill, toSearchParams } from './wire.ts'

/** Calls one declared endpoint. The same function serves the browser, server rendering and the tests. */
export type Call = <E extends Endpoint>(endpoint: E, ...ask: AskOf<E>) => Promise<Reply<E>>

type AskOf<E extends Endpoint> = Record<string, never> extends Ask<E> ? [ask?: Ask<E>] : [ask: Ask<E>]

export interface ClientOptions {
  fetch: (request: Request) => Response | Promise<Response>
  origin: string
  token?: () => string
}

const timeoutMs = 30_000

export function client({ fetch, origin, token }: ClientOptions): Call {
  return async (endpoint, ...[ask]) => {
    const request = toRequest(endpoint, encode(endpoint.input, ask ?? {}) as Record<string, unknown>, origin)
    const bearer = token?.()
    if (bearer) request.headers.set('authorization', `Bearer ${bearer}`)
    const response = await sent(fetch, request)
    if (!response.ok) throw await failure(response)
    return fill(endpoint.reply, await response.json()) as Reply<typeof endpoint>
  }
}

function toRequest(endpoint: Endpoint, ask: Record<string, unknown>, origin: string): Request {
  const url = new URL(`/api/v1${endpoint.path}`, origin)
  const init = { method: endpoint.method, signal: AbortSignal.timeout(timeoutMs) }
  const headers = { accept: 'application/json' }
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') {
    url.search = toSearchParams(ask).toString()
    return new Request(url, { ...init, headers })
  }
  return new Request(url, {
    ...init,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(ask),
  })
}

async function sent(fetch: ClientOptions['fetch'], request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError'
    throw new ApiError({ status: 0, message: timedOut ? '请求超时，请稍后重试' : '网络连接失败，请检查网络后重试' })
  }
}

/** Any failed response becomes status and message; the body's own message is kept if it carries one. */
async function failure(response: Response): Promise<ApiError> {
  const { status, statusText } = response
  const body = await response.text()
  const data = parsed(body)
  const message = data.message || [status, statusText, body].join(' ').trim()
  return new ApiError({ ...data, status, message })
}

function parsed(body: string): { message?: string; reason?: string; details?: FieldProblem[] } {
  try {
    const data: unknown = JSON.parse(body)
    return typeof data === 'object' && data !== null ? data : {}
  } catch {
    return {}
  }
}
