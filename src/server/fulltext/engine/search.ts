import type { SearchQuery, SearchResults, VisibilityFilter } from '../fulltext.ts'
import { memoizeVocabulary, type Vocabulary } from '../text/vocabulary.ts'
import { findCandidates } from './candidates.ts'
import { parseQuery } from '../text/query.ts'
import { rankMatches, type VisibleMatch } from './rank.ts'
import type { CachedResults, ResultCache } from './result-cache.ts'
import { buildHits } from './snippets.ts'
import type { Store } from './store.ts'
import { pagesBonus } from './weights.ts'

export interface Engine {
  store: Store
  vocabulary: Vocabulary
  cache: ResultCache
  /** Once a page of results is complete, counting the rest of them takes no longer than this. */
  countingBudgetMs: number
  /** Runs a filter on the site's database: those of the ids that it selects. */
  visibleIds(filter: VisibilityFilter, ids: readonly number[]): Promise<number[]>
}

/** Ids per run of the visibility filter; fewer than the minimum wait for the next batch of candidates. */
const filterBatch = 400
const minFilterBatch = 100
/** To sort by something else than relevance, all matches are collected if they can be found within this time. */
const sortingBudgetMs = 200

const noResults: SearchResults = { total: 0, hasMore: false, hits: [] }

export async function executeSearch(engine: Engine, query: SearchQuery): Promise<SearchResults> {
  const { store, vocabulary, cache } = engine
  const { kind, within, offset, limit, sortBy, previewPages } = query
  const parsed = parseQuery(query.words)
  if (!parsed) return noResults
  await updateVocabulary(store, vocabulary)
  const source = { store, vocabulary: memoizeVocabulary(vocabulary), kind }
  const key = JSON.stringify([kind, within, parsed.phrase.text, ...parsed.words.map(({ text }) => text)])
  const results = cache.get(key, () => findCandidates(source, parsed, { within, onTimeout: () => cache.delete(key) }))
  const { matches, hasMore } = await collectVisible(engine, query, results)
  if (matches.length === 0) return { ...noResults, hasMore }
  const sorted = sortBy
    ? await sortBy(matches.map(({ id }) => id))
    : await rankMatches(source, parsed, { matches, results, limit: offset + limit })
  const ids = sorted.slice(offset, offset + limit)
  if (ids.length === 0) return { total: matches.length, hasMore, hits: [] }
  const lastPages = (await previewPages?.(ids)) ?? ids.map(() => Infinity)
  const requests = ids.map((id, index) => ({ id, lastPage: lastPages[index] ?? 0 }))
  return { total: matches.length, hasMore, hits: await buildHits(source, parsed, requests, results.hits) }
}

/** Loads the words that any process has added to the index since the last query. */
export async function updateVocabulary(store: Store, vocabulary: Vocabulary): Promise<void> {
  const { words, last } = await store.wordsAfter(vocabulary.last())
  // A concurrent query may have loaded the same words.
  if (last !== vocabulary.last()) vocabulary.add(words, last)
}

async function collectVisible(
  { visibleIds, countingBudgetMs }: Engine,
  { visibility, maxTotal, offset, limit, sortBy }: SearchQuery,
  results: CachedResults,
): Promise<{ matches: VisibleMatch[]; hasMore: boolean }> {
  const matches: VisibleMatch[] = []
  const seen = new Set<number>()
  let pending: VisibleMatch[] = []
  const filterPending = async () => {
    for (let at = 0; at < pending.length && matches.length < maxTotal; at += filterBatch) {
      const batch = pending.slice(at, at + filterBatch)
      const visible = new Set(
        await visibleIds(
          visibility,
          batch.map(({ id }) => id),
        ),
      )
      matches.push(...batch.filter(({ id }) => visible.has(id)))
    }
    pending = []
  }
  const deadline = performance.now() + (sortBy ? sortingBudgetMs : countingBudgetMs)
  const isLate = () => performance.now() > deadline
  for await (const { candidates, matchedIn, weight } of results.batches()) {
    for (const { id, pages } of candidates) {
      if (seen.has(id)) continue
      seen.add(id)
      pending.push({ id, matchedIn, weight: weight + pagesBonus(pages) })
    }
    if (pending.length < Math.min(minFilterBatch, maxTotal) && !isLate()) continue
    await filterPending()
    if (matches.length >= maxTotal) return { matches: matches.slice(0, maxTotal), hasMore: true }
    if (isLate() && matches.length >= offset + limit) return { matches, hasMore: true }
  }
  await filterPending()
  return { matches: matches.slice(0, maxTotal), hasMore: matches.length >= maxTotal }
}
