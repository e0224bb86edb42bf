import { client, type Call } from '#shared/client.ts'
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
    if (error instanceof ApiError && error.status === 401) endSession(token)
    throw error
  }
}

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
