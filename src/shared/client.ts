import { ApiError, type FieldProblem, type LoginChallenge, networkFailure } from './errors.ts'
import type { CallInput, Endpoint, Reply } from './endpoint.ts'
import { type FileReply, isFile } from './fields.ts'
import { encode, fill, toSearchParams } from './wire.ts'

/** Calls one declared endpoint. The same function serves the browser, server rendering and the tests. */
export type Call = <E extends Endpoint>(endpoint: E, ...input: CallArguments<E>) => Promise<Reply<E>>

type CallArguments<E extends Endpoint> =
  Record<string, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

export interface ClientOptions {
  fetch: (request: Request) => Response | Promise<Response>
  /** With a path, where `/api/v1` is below one; without a slash at the end. */
  origin: string
  token?: () => string
}

const timeoutMs = 30_000

export function client({ fetch, origin, token }: ClientOptions): Call {
  return async (endpoint, ...[input]) => {
    const request = toRequest(endpoint, encode(endpoint.input, input ?? {}) as Record<string, unknown>, origin)
    const bearer = token?.()
    if (bearer) request.headers.set('authorization', `Bearer ${bearer}`)
    const response = await send(fetch, request)
    if (!response.ok) throw await toApiError(endpoint, response)
    if (isFile(endpoint.reply)) return (await toFile(response)) as Reply<typeof endpoint>
    return fill(endpoint.reply, await response.json()) as Reply<typeof endpoint>
  }
}

async function toFile(response: Response): Promise<FileReply> {
  const [, name = ''] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const type = response.headers.get('content-type') ?? ''
  return { name: decodeURIComponent(name), type, body: await response.blob() }
}

function toRequest(endpoint: Endpoint, input: Record<string, unknown>, origin: string): Request {
  const url = new URL(`${origin}/api/v1${endpoint.path}`)
  const init = { method: endpoint.method, signal: AbortSignal.timeout(timeoutMs) }
  const headers = { accept: 'application/json' }
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') {
    // Addresses end up in logs and histories: a password never travels in one.
    const { password, ...query } = input
    url.search = toSearchParams(query).toString()
    return new Request(url, { ...init, headers, body: password === undefined ? null : JSON.stringify({ password }) })
  }
  return new Request(url, {
    ...init,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
}

async function send(fetch: ClientOptions['fetch'], request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError'
    throw new ApiError({
      status: networkFailure,
      message: timedOut ? '请求超时，请稍后重试' : '网络连接失败，请检查网络后重试',
    })
  }
}

/** The message is that of the body, if it has one. A proxy in front of the server answers with a page of its own. */
async function toApiError({ method, path }: Endpoint, response: Response): Promise<ApiError> {
  const { status, statusText } = response
  const body = await response.text()
  const data = parseJson(body)
  const isPlain = body.length <= 100 && !body.includes('<')
  const details = [status, statusText, isPlain ? body : ''].filter(Boolean).join(' ')
  const message = data.message || `${failures[`${method} ${path}`] ?? '请求失败'}，请稍后重试（${details}）`
  return new ApiError({ ...data, status, message })
}

const failures: Record<string, string> = {
  'POST /user/register': '注册失败',
  'POST /user/login': '登录失败',
  'POST /oauth/bind': '绑定失败',
  'GET /user/permission': '获取权限失败',
  'PUT /user/profile': '修改资料失败',
  'GET /settings': '查询设置失败',
}

interface ErrorBody {
  message?: string
  reason?: string
  details?: FieldProblem[]
  challenge?: LoginChallenge
}

function parseJson(body: string): ErrorBody {
  try {
    const data: unknown = JSON.parse(body)
    return typeof data === 'object' && data !== null ? data : {}
  } catch {
    return {}
  }
}
