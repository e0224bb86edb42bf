import { useSyncExternalStore } from 'react'
import { favorites } from '#shared/contract/social.ts'
import { ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'
import { currentSession } from '#web/lib/session.ts'

/** What this member has kept, of what the page shows: one state for all the buttons of a thing. */

export interface Subject {
  type: 0 | 1
  id: number
}

export interface FavoriteState {
  isKept: boolean
  /** Of the entry in the member's list; 0 without one. */
  entry: number
  /** The figure that was shown when it was turned here, and by how much it has changed since. */
  counted: { at: number; change: number }
  isBusy: boolean
}

const unknown: FavoriteState = { isKept: false, entry: 0, counted: { at: 0, change: 0 }, isBusy: false }

export function useFavorite(subject: Subject): FavoriteState {
  return useSyncExternalStore(
    subscribe,
    () => stateOf(subject),
    () => unknown,
  )
}

/** Two buttons that come at once ask once. */
export async function askFavorite(subject: Subject): Promise<void> {
  const key = keyOf(subject)
  if (asked.has(key) || stateOf(subject).isBusy) return
  asked.add(key)
  try {
    const { id } = await api(favorites.get, { document_id: subject.id, type: subject.type })
    if (!stateOf(subject).isBusy) set(key, { ...stateOf(subject), isKept: id > 0, entry: id })
  } catch {
    // It stays as it is; turning it will tell.
  } finally {
    asked.delete(key)
  }
}

/** Throws what the server says when it refuses; the state is then as before. */
export async function toggleFavorite(subject: Subject, count: number): Promise<void> {
  const key = keyOf(subject)
  const before = stateOf(subject)
  if (before.isBusy) return
  const isKept = !before.isKept
  set(key, { ...before, isKept, counted: countedAfter(before.counted, count, isKept), isBusy: true })
  try {
    const entry = isKept ? await keep(subject) : await drop(before.entry)
    set(key, { ...stateOf(subject), entry, isBusy: false })
  } catch (error) {
    set(key, before)
    if (!(error instanceof ApiError && error.reason === 'favorites.twice')) throw error
    await askFavorite(subject)
  }
}

/** The figure came with the page; once the page has a newer one, that counts. */
export function countWith(count: number, { counted }: Pick<FavoriteState, 'counted'>): number {
  return counted.at === count ? Math.max(0, count + counted.change) : count
}

export function countedAfter(before: FavoriteState['counted'], count: number, isKept: boolean) {
  const change = before.at === count ? before.change : 0
  return { at: count, change: change + (isKept ? 1 : -1) }
}

async function keep({ type, id }: Subject): Promise<number> {
  const made = await api(favorites.create, { document_id: id, type })
  return made.id
}

async function drop(entry: number): Promise<number> {
  await api(favorites.delete, { id: [entry] })
  return 0
}

const states = new Map<string, FavoriteState>()
const asked = new Set<string>()
const listeners = new Set<() => void>()

function keyOf({ type, id }: Subject): string {
  return `${currentSession().user.id} ${type} ${id}`
}

function stateOf(subject: Subject): FavoriteState {
  return states.get(keyOf(subject)) ?? unknown
}

function set(key: string, state: FavoriteState): void {
  states.set(key, state)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
