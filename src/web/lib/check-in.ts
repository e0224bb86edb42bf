import { useEffect, useSyncExternalStore } from 'react'
import { credits } from '#shared/contract/credits.ts'
import { ApiError } from '#shared/errors.ts'
import { refreshUser } from '#web/lib/account.ts'
import { api } from '#web/lib/api.ts'
import { currentSession, useSession } from '#web/lib/session.ts'

/** The day's check-in. It can be done in several places, and all of them show the same. */

export interface CheckIn {
  /** Whose, and of which day: asked again for another. */
  of: string
  isKnown: boolean
  signed: boolean
  /** Days in a row: up to today when it is done, up to yesterday when it is not. */
  streak: number
  isBusy: boolean
}

const unknown: CheckIn = { of: '', isKnown: false, signed: false, streak: 0, isBusy: false }

/** For members; asked for when something that shows it comes. */
export function useCheckIn(): CheckIn {
  const { token } = useSession()
  useEffect(() => {
    const ask = () => void askCheckIn(token)
    ask()
    // A window left open learns of the new day, which begins when it does for the server.
    window.addEventListener('focus', ask)
    return () => window.removeEventListener('focus', ask)
  }, [token])
  return useSyncExternalStore(subscribe, held, () => unknown)
}

/** What it brought; nothing when it had been done already, in another window perhaps. Refusals are thrown. */
export async function checkIn(): Promise<{ award: number } | undefined> {
  if (held().isBusy || held().signed) return undefined
  set({ ...held(), of: today(), isBusy: true })
  try {
    const { award, streak } = await api(credits.sign)
    set({ of: today(), isKnown: true, signed: true, streak, isBusy: false })
    void refreshUser().catch(() => undefined)
    return { award }
  } catch (error) {
    set({ ...current, isBusy: false })
    if (error instanceof ApiError && error.reason === 'credits.signedAlready') await ask(today())
    throw error
  }
}

async function askCheckIn(token: string): Promise<void> {
  if (token === '' || asking === today()) return
  if (held().isKnown && Date.now() - answeredAt < freshMs) return
  await ask(today())
}

async function ask(of: string): Promise<void> {
  asking = of
  const before = current
  try {
    const { signed, streak } = await api(credits.streak)
    answeredAt = Date.now()
    // Who has checked in meanwhile knows better.
    if (of === today() && current === before) set({ of, isKnown: true, signed, streak, isBusy: false })
  } catch {
    // Without an answer one may try to check in all the same; then the server tells.
  } finally {
    asking = ''
  }
}

function today(): string {
  return `${currentSession().user.id} ${new Date().toDateString()}`
}

const listeners = new Set<() => void>()
let current = unknown
let asking = ''
let answeredAt = 0
const freshMs = 5 * 60_000

/** What was held of somebody else, or of yesterday, counts no more. */
function held(): CheckIn {
  return current.of === today() ? current : unknown
}

function set(next: CheckIn): void {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
