import { local } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** The last searches of this browser, the latest first. */

const key = 'wendou-searches'
const maxSearches = 8

const none: readonly string[] = []
const store = createStore(readStored)

export function useRecentSearches(): readonly string[] {
  return useStore(store, none)
}

export function addRecentSearch(words: string): void {
  if (words === '') return
  // Other tabs write to the storage too.
  const searches = withSearch(readStored(), words)
  local.write(key, JSON.stringify(searches))
  store.set(searches)
}

export function removeRecentSearch(words: string): void {
  const stored = readStored()
  const searches = withoutSearch(stored, words)
  if (searches.length === stored.length) return
  local.write(key, JSON.stringify(searches))
  store.set(searches)
}

export function clearRecentSearches(): void {
  local.remove(key)
  store.set(none)
}

export function withSearch(recent: readonly string[], words: string): readonly string[] {
  return [words, ...withoutSearch(recent, words)].slice(0, maxSearches)
}

export function withoutSearch(recent: readonly string[], words: string): readonly string[] {
  return recent.filter((search) => search.toLowerCase() !== words.toLowerCase())
}

/** The storage belongs to the visitor and may contain anything. */
export function parseRecentSearches(stored: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    const isWords = (entry: unknown) => typeof entry === 'string' && entry !== ''
    return Array.isArray(list) ? list.filter(isWords).slice(0, maxSearches) : []
  } catch {
    return []
  }
}

function readStored(): readonly string[] {
  return parseRecentSearches(local.read(key))
}
