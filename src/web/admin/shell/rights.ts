import { refreshRights } from '#web/lib/account.ts'
import { currentSession } from '#web/lib/session.ts'

const goodForMs = 30_000
let known = { token: '', at: 0 }

/**
 * Asks what the user may do: on entering the back office before anything is shown, later beside the navigation.
 * So a session that ended, or rights that were taken away, are noticed within half a minute of use.
 */
export async function ensureRights(): Promise<void> {
  const { token } = currentSession()
  if (token === '' || (token === known.token && Date.now() - known.at < goodForMs)) return
  const entering = token !== known.token
  const asked = refreshRights().then(
    () => (known = { token, at: Date.now() }),
    // A dead session has been cleared by then; without an answer the stored rights hold, and the server decides anyway.
    () => undefined,
  )
  if (entering) await asked
}
