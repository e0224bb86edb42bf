import * as z from 'zod/mini'
import { Group } from '#shared/contract/group.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import { User } from '#shared/contract/user.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import { fill, strip } from '#shared/wire.ts'
import { deleteCopies, local, personalCopies } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** The signed-in user of this browser, from local storage; on the server and before hydration always anonymous. */

export const Session = z.object({
  token: z.string(),
  user: z.extend(User, { id: z.number() }),
  permissions: currentUser.permission.reply.shape.permission,
  allowPages: z.array(z.string()),
  groups: z.array(Group),
  /** Payments are being tried out, and this member may. */
  mayTryPaying: currentUser.permission.reply.shape.may_try_paying,
})
export type Session = z.output<typeof Session>

export const sessionKey = 'wendou'

export const anonymous: Session = parseSession('{}')

const store = createStore(readStored)

export function useSession(): Session {
  return useStore(store, anonymous)
}

export function currentSession(): Session {
  return store.get()
}

export function isSignedIn({ token, user }: { token: string; user: { id: number } }): boolean {
  return token !== '' && user.id > 0
}

/** Not by `wirePath`, which would add the whole catalogue to the scripts of every page. */
export function hasPermission(
  session: Pick<Session, 'permissions'>,
  permission: Exclude<PermissionPath, `upload/${string}`>,
): boolean {
  return session.permissions.some(({ path }) => path === `/api.v1.${permission}`)
}

export function updateSession(change: Partial<Session>): void {
  const before = currentSession()
  const session = { ...before, ...change }
  if (session.token !== before.token) void deleteCopies(personalCopies)
  local.write(sessionKey, JSON.stringify(strip(Session, session)))
  store.set(session)
}

export function clearSession(): void {
  local.remove(sessionKey)
  void deleteCopies(personalCopies)
  store.set(anonymous)
}

/** The server rejected this token. A session that was started since is kept. */
export function endSession(token: string): void {
  if (token !== '' && token === currentSession().token) clearSession()
}

/** Whether the session still has this token, in this window and in the storage. */
export function isStill(token: string): boolean {
  return currentSession().token === token && readStored().token === token
}

/**
 * Takes over a sign-in or sign-out of another tab as it happens, and what else that tab has learned of the member. When the
 * window gets the focus it looks again: browsers put tabs to sleep.
 */
export function followOtherTabs(onChange: () => void): () => void {
  const compare = ({ type, key }: Event & { key?: string | null }) => {
    // Clearing the storage has no key.
    if (key !== sessionKey && key !== null && key !== undefined) return
    const latest = readStored()
    if (latest.token !== currentSession().token) {
      store.set(latest)
      onChange()
    } else if (type === 'storage') store.set(latest)
  }
  window.addEventListener('focus', compare)
  window.addEventListener('storage', compare)
  return () => {
    window.removeEventListener('focus', compare)
    window.removeEventListener('storage', compare)
  }
}

function readStored(): Session {
  return parseSession(local.read(sessionKey) ?? '{}')
}

/** Fields that an older version did not write are filled in; an invalid session is the anonymous one. */
function parseSession(text: string): Session {
  const session = z.safeParse(Session, fill(Session, parseJson(text)))
  if (session.success && (session.data.token === '' || session.data.user.id > 0)) return session.data
  return anonymous
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
