import { client, type Call } from '#shared/client.ts'
import { ApiError } from '#shared/errors.ts'
import { clearSession, currentSession } from '#web/lib/session.ts'

/** The site's interface as this browser calls it. */
export const api: Call = async (endpoint, ...ask) => {
  const { token } = currentSession()
  try {
    return await call()(endpoint, ...ask)
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 401
    if (refused && token !== '' && token === currentSession().token) clearSession()
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
