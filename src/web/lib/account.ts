import type { Reply } from '#shared/endpoint.ts'
import { users } from '#shared/contract/users.ts'
import { api } from '#web/lib/api.ts'
import { anonymous, currentSession, isSignedIn, isStill, updateSession } from '#web/lib/session.ts'
import { local } from '#web/lib/storage.ts'

/** Registering, logging in and binding all end here. */
export function signIn({ token, user }: Reply<typeof users.login>): void {
  updateSession({ ...anonymous, token, user })
}

/** The page must be loaded anew after it: only the browser's storage has forgotten the session. */
export async function signOut(): Promise<void> {
  // The person leaves whatever the server says; an unreachable one forgets the session when it expires.
  await api(users.logout).catch(() => undefined)
  local.clear()
}

export async function refreshUser(): Promise<void> {
  if (!isSignedIn(currentSession())) return
  const { token } = currentSession()
  const user = await api(users.get)
  if (isStill(token)) updateSession({ user })
}

/** What the user may do: admin pages open by their list permission. */
export async function refreshRights(): Promise<void> {
  const { token } = currentSession()
  const [{ permission }, { group }, { pagesOf }] = await Promise.all([
    api(users.permission),
    api(users.group),
    import('#shared/permissions.ts'),
  ])
  const held = permission.filter(({ id }) => id > 0)
  const allowPages = pagesOf(held.map(({ path }) => path))
  if (isStill(token)) updateSession({ permissions: held, groups: group, allowPages })
}
