import type { Reply } from '#shared/endpoint.ts'
import { users } from '#shared/contract/users.ts'
import { api } from '#web/lib/api.ts'
import { anonymous, clearSession, currentSession, isSignedIn, updateSession } from '#web/lib/session.ts'

/** Registering, logging in and binding all end here. */
export function signIn({ token, user }: Reply<typeof users.login>): void {
  updateSession({ ...anonymous, token, user })
}

export async function signOut(): Promise<void> {
  // The person leaves whatever the server says; an unreachable one forgets the session when it expires.
  await api(users.logout).catch(() => undefined)
  clearSession()
  localStorage.clear()
}

export async function refreshUser(): Promise<void> {
  if (!isSignedIn(currentSession())) return
  const { token } = currentSession()
  const user = await api(users.get)
  if (currentSession().token === token) updateSession({ user })
}

/** What the user may do: admin pages open by their list permission. */
export async function refreshRights(): Promise<void> {
  const [{ permission }, { group }, { pagesOf }] = await Promise.all([
    api(users.permission),
    api(users.group),
    import('#shared/permissions.ts'),
  ])
  const held = permission.filter(({ id }) => id > 0)
  updateSession({ permissions: held, groups: group, allowPages: pagesOf(held.map(({ path }) => path)) })
}
