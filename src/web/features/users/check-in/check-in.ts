import { useEffect } from 'react'
import { credits } from '#shared/contract/credits.ts'
import { ApiError } from '#shared/errors.ts'
import { refreshUser } from '#web/domain/account.ts'
import { api } from '#web/lib/api.ts'
import { currentSession, useSession } from '#web/lib/session.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** The daily check-in, which several parts of a page offer and show. */

export interface CheckIn {
  /** The user and the day: the state of any other is stale. */
  key: string
  isLoaded: boolean
  hasCheckedIn: boolean
  /** Days in a row, up to today if checked in, else up to yesterday. */
  streak: number
  isBusy: boolean
}

const initial: CheckIn = { key: '', isLoaded: false, hasCheckedIn: false, streak: 0, isBusy: false }
const store = createStore(() => initial)
const maxAgeMs = 5 * 60_000
let loadingKey = ''
let loadedAt = 0

/** Loaded when the first component that shows it mounts. */
export function useCheckIn(): CheckIn {
  const { token } = useSession()
  useEffect(() => {
    const refresh = () => void loadIfStale(token)
    refresh()
    // A window that stays open gets the new day, which begins by the server's clock.
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [token])
  return useStore({ subscribe: store.subscribe, get: current }, initial)
}

/** Returns the award and the days in a row; undefined if the member has checked in already. Throws if the server refuses. */
export async function checkIn(): Promise<{ award: number; streak: number } | undefined> {
  const before = current()
  if (before.isBusy || before.hasCheckedIn) return undefined
  store.set({ ...before, key: todayKey(), isBusy: true })
  try {
    const { award, streak } = await api(credits.checkIn)
    store.set({ key: todayKey(), isLoaded: true, hasCheckedIn: true, streak, isBusy: false })
    void refreshUser().catch(() => undefined)
    return { award, streak }
  } catch (error) {
    store.set({ ...store.get(), isBusy: false })
    // Checked in from another window.
    if (error instanceof ApiError && error.reason === 'credits.signedAlready') await load(todayKey())
    throw error
  }
}

async function loadIfStale(token: string): Promise<void> {
  if (token === '' || loadingKey === todayKey()) return
  if (current().isLoaded && Date.now() - loadedAt < maxAgeMs) return
  await load(todayKey())
}

async function load(key: string): Promise<void> {
  loadingKey = key
  const before = store.get()
  try {
    const { signed: hasCheckedIn, streak } = await api(credits.streak)
    loadedAt = Date.now()
    // A check-in meanwhile is newer than this response.
    if (key === todayKey() && store.get() === before)
      store.set({ key, isLoaded: true, hasCheckedIn, streak, isBusy: false })
  } catch {
    // The button stays: the server answers when the member tries to check in.
  } finally {
    loadingKey = ''
  }
}

function todayKey(): string {
  return `${currentSession().user.id} ${new Date().toDateString()}`
}

function current(): CheckIn {
  const state = store.get()
  return state.key === todayKey() ? state : initial
}
