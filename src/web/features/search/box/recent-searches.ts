import { ContentType } from '#shared/enums.ts'
import { local } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** The last searches of this browser, the latest first: those for documents and those for articles. */

const keys = { [ContentType.Document]: 'wendou-searches', [ContentType.Article]: 'wendou-article-searches' }
const maxSearches = 8

const none: readonly string[] = []
const stores = {
  [ContentType.Document]: createStore(() => readStored(ContentType.Document)),
  [ContentType.Article]: createStore(() => readStored(ContentType.Article)),
}

export function useRecentSearches(type: ContentType): readonly string[] {
  return useStore(stores[type], none)
}

export function addRecentSearch(words: string, type: ContentType): void {
  if (words === '') return
  // Other tabs write to the storage too.
  const searches = withSearch(readStored(type), words)
  local.write(keys[type], JSON.stringify(searches))
  stores[type].set(searches)
}

export function removeRecentSearch(words: string, type: ContentType): void {
  const stored = readStored(type)
  const searches = withoutSearch(stored, words)
  if (searches.length === stored.length) return
  local.write(keys[type], JSON.stringify(searches))
  stores[type].set(searches)
}

/** Of both types: who clears them wants none to be left in this browser. */
export function clearRecentSearches(): void {
  for (const type of Object.values(ContentType)) {
    local.remove(keys[type])
    stores[type].set(none)
  }
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

function readStored(type: ContentType): readonly string[] {
  return parseRecentSearches(local.read(keys[type]))
}
