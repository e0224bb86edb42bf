import { useSyncExternalStore } from 'react'
import { favorites } from '#shared/contract/favorites.ts'
import type { ContentType } from '#shared/enums.ts'
import { ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'
import { currentSession } from '#web/lib/session.ts'
import { createStore } from '#web/lib/store.ts'

/** The member's favorites among the documents and articles on the page: all buttons of one share its state. */

export interface Subject {
  type: ContentType
  id: number
}

export interface FavoriteState {
  isFavorite: boolean
  /** The id of the entry in the member's list; 0 without one. */
  entry: number
  /** The count that the page showed when the button was pressed, and its change since. */
  localCount: { at: number; change: number }
  isBusy: boolean
}

const initial: FavoriteState = { isFavorite: false, entry: 0, localCount: { at: 0, change: 0 }, isBusy: false }
const store = createStore<ReadonlyMap<string, FavoriteState>>(() => new Map())
const loading = new Set<string>()

export function useFavorite(subject: Subject): FavoriteState {
  return useSyncExternalStore(
    store.subscribe,
    () => stateOf(subject),
    () => initial,
  )
}

/** As far as is known. */
export function isFavorite(subject: Subject): boolean {
  return stateOf(subject).isFavorite
}

/** Several buttons of a subject that mount together send one request. */
export async function loadFavorite(subject: Subject): Promise<void> {
  const key = keyOf(subject)
  if (loading.has(key) || stateOf(subject).isBusy) return
  loading.add(key)
  try {
    const { id } = await api(favorites.get, { document_id: subject.id, type: subject.type })
    if (!stateOf(subject).isBusy) set(key, { ...stateOf(subject), isFavorite: id > 0, entry: id })
  } catch {
    // The state stays as it is: toggling asks the server again.
  } finally {
    loading.delete(key)
  }
}

/** Optimistic: on an error the state is rolled back and the error thrown. */
export async function toggleFavorite(subject: Subject, count: number): Promise<void> {
  const key = keyOf(subject)
  const before = stateOf(subject)
  if (before.isBusy) return
  const isFavorite = !before.isFavorite
  set(key, { ...before, isFavorite, localCount: countAfterToggle(before.localCount, count, isFavorite), isBusy: true })
  try {
    const entry = isFavorite ? await add(subject) : await remove(before.entry)
    set(key, { ...stateOf(subject), entry, isBusy: false })
  } catch (error) {
    set(key, before)
    if (!(error instanceof ApiError && error.reason === 'favorites.twice')) throw error
    await loadFavorite(subject)
  }
}

/** The count that came with the page plus the change since; a newer count of the page includes it already. */
export function displayedCount(count: number, { localCount }: Pick<FavoriteState, 'localCount'>): number {
  return localCount.at === count ? Math.max(0, count + localCount.change) : count
}

export function countAfterToggle(before: FavoriteState['localCount'], count: number, isFavorite: boolean) {
  const change = before.at === count ? before.change : 0
  return { at: count, change: change + (isFavorite ? 1 : -1) }
}

async function add({ type, id }: Subject): Promise<number> {
  const entry = await api(favorites.create, { document_id: id, type })
  return entry.id
}

async function remove(entry: number): Promise<number> {
  await api(favorites.delete, { id: [entry] })
  return 0
}

function keyOf({ type, id }: Subject): string {
  return `${currentSession().user.id} ${type} ${id}`
}

function stateOf(subject: Subject): FavoriteState {
  return store.get().get(keyOf(subject)) ?? initial
}

function set(key: string, state: FavoriteState): void {
  store.set(new Map(store.get()).set(key, state))
}
