import type { VisibilityFilter } from '../fulltext.ts'
import type { Vocabulary } from '../text/vocabulary.ts'
import type { ResultCache } from './result-cache.ts'
import type { Store } from './store.ts'

export interface Engine {
  store: Store
  vocabulary: Vocabulary
  cache: ResultCache
  /** Once a page of results is complete, counting the rest of them takes no longer than this. */
  countingBudgetMs: number
  /** Runs a filter on the site's database: those of the ids that it selects. */
  visibleIds(filter: VisibilityFilter, ids: readonly number[]): Promise<number[]>
}

/** Loads the words that any process has added to the index since the last query. */
export async function updateVocabulary(store: Store, vocabulary: Vocabulary): Promise<void> {
  const { words, last } = await store.wordsAfter(vocabulary.last())
  // A concurrent query may have loaded the same words.
  if (last !== vocabulary.last()) vocabulary.add(words, last)
}
