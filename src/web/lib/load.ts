import { createContext, data, type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type Params } from 'react-router'
import type { Call } from '#shared/client.ts'
import type { ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'

/**
 * The one way to get a page's data. On the server `api` is an in-process call for an anonymous visitor,
 * in the browser it is the typed client; what the server has rendered is not asked for again.
 *
 *   const page = load(async ({ api, params }) => ({ user: await api(users.get, { id: Number(params.id) }) }))
 *   export const loader = page.server
 *   export const clientLoader = page.client
 *
 * A page for members only exports just `clientLoader`, and a `HydrateFallback`.
 */
export function load<T>(read: (given: Given) => Promise<T>) {
  return {
    server: ({ context, params, url }: LoaderFunctionArgs): Promise<T> =>
      explained(read({ api: context.get(apiContext), params, url })),
    client: ({ params, url }: ClientLoaderFunctionArgs): Promise<T> => explained(read({ api, params, url })),
  }
}

export interface Given {
  api: Call
  params: Params
  url: URL
}

/** What an error page knows about a failed page. */
export interface Failure {
  message: string
  reason: string
}

export const apiContext = createContext<Call>()

export function notFound(message = '页面不存在') {
  return failed(404, { message, reason: '' })
}

function failed(status: number, failure: Failure) {
  return data(failure, { status })
}

/** Errors of the interface become answers with a status, so that they pass from the server to the browser as they are. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isApiError(error)) throw error
    throw failed(pageStatus(error), { message: error.message, reason: error.reason })
  }
}

/** Search engines forget sooner what is said to be gone than what is only not found. */
function pageStatus({ status, reason }: ApiError): number {
  return reason.endsWith('.gone') ? 410 : status || 503
}

/** By name: the server's class and the one in the built pages are two copies of the same file. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError'
}
