import { contract } from '#shared/contract/contract.ts'
import { api } from '#web/lib/api.ts'

/** Ends the session by leaving the page: cleared while it is shown, it would look lost, and the root would say so. */
export async function leaveForLogin(): Promise<void> {
  await api(contract.users.logout).catch(() => undefined)
  localStorage.clear()
  location.assign('/login')
}
