import { refreshRights } from '#web/domain/account.ts'
import { currentSession } from '#web/lib/session.ts'

const maxAgeMs = 30_000
let lastRefresh = { token: '', at: 0 }

/**
 * Loads the user's permissions: before anything is shown when the admin pages are entered, later in the background.
 * An ended session or a withdrawn permission is noticed within half a minute of use.
 */
export async function refreshPermissions(): Promise<void> {
  const { token } = currentSession()
  if (token === '' || (token === lastRefresh.token && Date.now() - lastRefresh.at < maxAgeMs)) return
  const isEntering = token !== lastRefresh.token
  const refreshed = refreshRights().then(
    () => (lastRefresh = { token, at: Date.now() }),
    // An ended session has been cleared by then; without a response the stored permissions stay, and the server checks anyway.
    () => undefined,
  )
  if (isEntering) await refreshed
}
