import type { Reply } from '#shared/endpoint.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import type { users } from '#shared/contract/users.ts'
import { api } from '#web/lib/api.ts'
import { anonymous, currentSession, isSignedIn, isStill, updateSession } from '#web/lib/session.ts'
import { deleteCopies, local, personalCopies } from '#web/lib/browser/storage.ts'

/** Login and registration both end here. */
export function signIn({ token, user }: Reply<typeof users.login>): void {
  updateSession({ ...anonymous, token, user })
}

/** The caller must reload the page: only the browser's storage is cleared. */
export async function signOut(): Promise<void> {
  // Signing out works without the server too: there the session expires by itself.
  await api(currentUser.logout).catch(() => undefined)
  // The copies for offline reading: what a member has read is not for the next one on this device.
  await deleteCopies(['pages', 'pictures', ...personalCopies])
  local.clear()
}

const passwordPath = '/me/password'

export async function refreshUser(): Promise<void> {
  if (!isSignedIn(currentSession())) return
  const { token } = currentSession()
  const user = await api(currentUser.get)
  if (isStill(token)) updateSession({ user })
}

/** The user's permissions and groups; each admin page needs the permission of its list. */
export async function refreshRights(): Promise<void> {
  const { token } = currentSession()
  const [
    { permission, second_factor_owed, password_owed, may_try_paying: mayTryPaying },
    { group },
    { getAdminPages: pagesOf },
  ] = await Promise.all([api(currentUser.permission), api(currentUser.group), import('#shared/permissions.ts')])
  const held = permission.filter(({ id }) => id > 0)
  const allowPages = pagesOf(held.map(({ path }) => path))
  if (isStill(token)) updateSession({ permissions: held, groups: group, allowPages, mayTryPaying })
  if (password_owed && location.pathname !== passwordPath) location.assign(passwordPath)
  else if (second_factor_owed && !password_owed && location.pathname !== '/me/security') location.assign('/me/security')
}
