import { createContext, data, type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type Params } from 'react-router'
import type { Call } from '#shared/client.ts'
import { networkFailure, type ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'
import { isLostScript } from '#web/lib/browser/reload.ts'

/**
 * The one way to load a page's data. On the server `api` is an in-process call for an anonymous visitor, in the browser
 * it is the typed client; data that the server has rendered is not fetched again.
 *
 *   const page = load(async ({ api, params }) => ({ user: await api(users.get, { id: Number(params.id) }) }))
 *   export const loader = page.server
 *   export const clientLoader = page.client
 *
 * A page for members only exports just `clientLoader`, and a `HydrateFallback`.
 */
export function load<T>(read: (args: LoadArgs) => Promise<T>) {
  return {
    server: ({ context, params, url }: LoaderFunctionArgs): Promise<T> =>
      withErrorResponse(read({ ...context.get(apiContext), params, url })),
    client: ({ params, url }: ClientLoaderFunctionArgs): Promise<T> => withErrorResponse(read({ api, params, url })),
  }
}

export interface ServerApi {
  /** Replies are shared by the pages that are rendered within a few seconds. */
  api: Call
  /** Never a shared reply: for what changes while the page is rendered. */
  freshApi?: Call
}

export interface LoadArgs extends ServerApi {
  params: Params
  url: URL
}

/** The body of an error response, for the error page. */
export interface Failure {
  message: string
  reason: string
}

export const apiContext = createContext<ServerApi>()

export function notFound(message = '页面不存在') {
  return errorResponse(404, { message, reason: '' })
}

function errorResponse(status: number, failure: Failure) {
  return data(failure, { status })
}

/** Whether loading failed for want of a connection: to the server, or to a proxy that does not reach it. */
export function isUnreachable(error: unknown): boolean {
  return isLostScript(error) || (isErrorResponse(error) && error.data.reason === unreachable)
}

const unreachable = 'unreachable'

function isErrorResponse(error: unknown): error is { data: Failure } {
  return typeof error === 'object' && error !== null && 'data' in error
}

/** API errors become responses with a status: those are serialized from the server to the browser unchanged. */
async function withErrorResponse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isApiError(error)) throw error
    const { status, message, reason } = error
    const isDown = status === networkFailure || (status >= 502 && status <= 504 && reason === '')
    throw errorResponse(pageStatus(error), { message, reason: isDown ? unreachable : reason })
  }
}

/** Search engines drop a page with 410 sooner than one with 404. */
function pageStatus({ status, reason }: ApiError): number {
  return reason.endsWith('.gone') ? 410 : status || 503
}

/** By name: the server and the built pages have separate copies of the class. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError'
}
