import { client, type Call } from '#shared/client.ts'
import { ApiError } from '#shared/errors.ts'
import { currentSession, endSession } from '#web/lib/session.ts'

/** The site's interface as this browser calls it. */
export const api: Call = async (endpoint, ...ask) => {
  const { token } = currentSession()
  try {
    return await call()(endpoint, ...ask)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) endSession(token)
    throw error
  }
}

let made: Call | undefined

function call(): Call {
  made ??= client({
    fetch: (request) => fetch(request),
    origin: location.origin,
    token: () => currentSession().token,
  })
  return made
}
