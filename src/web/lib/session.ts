import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { Group } from '#shared/contract/access.ts'
import { User, users } from '#shared/contract/users.ts'
import { fill, strip } from '#shared/wire.ts'
import { local } from '#web/lib/storage.ts'

/** Who uses this browser. Kept in local storage; on the server and before hydration always the anonymous visitor. */

export const Session = z.object({
  token: z.string(),
  user: z.extend(User, { id: z.number() }),
  permissions: users.permission.reply.shape.permission,
  allowPages: z.array(z.string()),
  groups: z.array(Group),
})
export type Session = z.output<typeof Session>

export const sessionKey = 'wendou'

export const anonymous: Session = read('{}')

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession, () => anonymous)
}

export function currentSession(): Session {
  current ??= stored()
  return current
}

export function isSignedIn({ token, user }: { token: string; user: { id: number } }): boolean {
  return token !== '' && user.id > 0
}

export function updateSession(change: Partial<Session>): void {
  current = { ...currentSession(), ...change }
  local.write(sessionKey, JSON.stringify(strip(Session, current)))
  announce()
}

export function clearSession(): void {
  local.remove(sessionKey)
  current = anonymous
  announce()
}

/** The server takes this token no more. Whoever has signed in since stays. */
export function endSession(token: string): void {
  if (token !== '' && token === currentSession().token) clearSession()
}

/** For a page that is about to be loaded anew: told of it, the page would take its session for lost. */
export function forgetSession(): void {
  local.remove(sessionKey)
}

/** Whether the session is still the one with this token, in this window and in the others. */
export function isStill(token: string): boolean {
  return currentSession().token === token && stored().token === token
}

/** Another tab may have signed in or out: its word counts once this window is looked at again. */
export function followOtherTabs(changed: () => void): () => void {
  const compare = () => {
    const latest = stored()
    if (latest.token === currentSession().token) return
    current = latest
    announce()
    changed()
  }
  window.addEventListener('focus', compare)
  return () => window.removeEventListener('focus', compare)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const listeners = new Set<() => void>()
let current: Session | undefined

function announce(): void {
  for (const listener of listeners) listener()
}

function stored(): Session {
  return read(local.read(sessionKey) ?? '{}')
}

/** What an older version wrote is completed; what makes no sense is the anonymous visitor. */
function read(text: string): Session {
  const session = z.safeParse(Session, fill(Session, parsed(text)))
  if (session.success && (session.data.token === '' || session.data.user.id > 0)) return session.data
  return anonymous
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
