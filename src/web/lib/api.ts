import { client, type Call } from '#shared/client.ts'
import type { Reply } from '#shared/endpoint.ts'
import { ApiError } from '#shared/errors.ts'
import { apiBase } from '#web/lib/api-base.ts'
import { currentSession, endSession } from '#web/lib/session.ts'
import { shareKeyHeader, shareKeys } from '#web/lib/share-keys.ts'

/** The server's API, called from this browser with the session's token. */
export const api: Call = async (endpoint, ...args) => {
  const { token } = currentSession()
  try {
    return await browserClient()(endpoint, ...args)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) endSession(token)
    if (!resolveRefusal || !resolvable.has(error.reason)) throw error
    return (await resolveRefusal(error, () => api(endpoint, ...args))) as Reply<typeof endpoint>
  }
}

/**
 * Asks the user for what a refused request lacks, and returns the reply that it then gets; throws the error if the user
 * does not want to. The root of the app sets it, as it shows a dialog, which is loaded when a request needs it.
 */
export type ResolveRefusal = (error: ApiError, repeat: () => Promise<unknown>) => Promise<unknown>

let resolveRefusal: ResolveRefusal | undefined

export function setResolveRefusal(resolve: ResolveRefusal): void {
  resolveRefusal = resolve
}

const resolvable = new Set([
  'security.factorNeeded',
  'security.proofNeeded',
  'access.secondFactorOwed',
  'access.passwordOwed',
])

/** The server's message, or `fallback` if the error is not one of the server. */
export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError ? error.message : fallback
}

let cached: Call | undefined

function browserClient(): Call {
  cached ??= client({
    fetch(request) {
      const keys = shareKeys()
      if (keys !== '') request.headers.set(shareKeyHeader, keys)
      return fetch(request)
    },
    origin: apiBase(),
    token: () => currentSession().token,
  })
  return cached
}
