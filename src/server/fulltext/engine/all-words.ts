import { LRUCache } from 'lru-cache'
import type { SearchQuery } from '../fulltext.ts'
import { memoizeVocabulary } from '../text/vocabulary.ts'
import { type ParsedQuery, parseQuery } from '../text/query.ts'
import { isTraditional, regionalVariants } from '../text/regional.ts'
import { type CandidateBatch, findCandidates, type Source } from './candidates.ts'
import type { Engine } from './engine.ts'
import { rankMatches, type VisibleMatch } from './rank.ts'
import type { CachedResults } from './result-cache.ts'
import { pagesBonus, regionalMalus } from './weights.ts'

/** Visible entries that answer a query. */
export interface Answer {
  matches: readonly { id: number }[]
  hasMore: boolean
  /** The best matches, best first: as many as the requested page needs. */
  ranked: number[]
  /** In which words an entry matched. */
  wordingOf(id: number): Wording
  /** Hits that earlier queries have built. */
  hits: CachedResults['hits']
}

export interface Wording {
  words: string
  parsed: ParsedQuery
}

/** Ids per run of the visibility filter; fewer than the minimum wait for the next batch of candidates. */
const filterBatch = 400
const minFilterBatch = 100
/** To sort by something else than relevance, all matches are collected if they can be found within this time. */
const sortingBudgetMs = 200

export function openSource({ store, vocabulary }: Engine, { kind }: Pick<SearchQuery, 'kind'>): Source {
  return { store, vocabulary: memoizeVocabulary(vocabulary), kind }
}

/** Entries with all the words, as typed or as another region has them. */
export async function answerWithAllWords(
  engine: Engine,
  source: Source,
  query: SearchQuery,
): Promise<Answer | undefined> {
  const { kind, within, offset, limit, sortBy } = query
  const wordings = toWordings(query)
  if (wordings.length === 0) return undefined
  const texts = wordings.map(({ parsed }) => [parsed.phrase.text, ...parsed.words.map(({ text }) => text)])
  const key = JSON.stringify([kind, within, ...texts])
  const malus = isTraditional(query.words) ? regionalMalus.traditional : regionalMalus.simplified
  const find = (parsed: ParsedQuery) =>
    findCandidates(source, parsed, { within, onTimeout: () => engine.cache.delete(key) })
  const results = engine.cache.get(key, async function* (): AsyncGenerator<CandidateBatch> {
    for (const [wording, { parsed }] of wordings.entries()) {
      if (wording === 0) yield* find(parsed)
      else for await (const batch of find(parsed)) yield { ...batch, wording, weight: batch.weight + malus }
    }
  })
  const { matches, hasMore } = await collectVisible(engine, query, results)
  const phrases = wordings.map(({ parsed }) => parsed.phrase.text)
  const ranked = sortBy
    ? await sortIds(sortBy, matches)
    : await rankMatches(source, phrases, { matches, results, limit: offset + limit })
  const byId = new Map(matches.map(({ id, wording }) => [id, wordings[wording]]))
  const [typed] = wordings as [Wording]
  return { matches, hasMore, ranked, wordingOf: (id) => byId.get(id) ?? typed, hits: results.hits }
}

/** The caller's order; it is not asked for the order of nothing. */
export async function sortIds(
  sortBy: NonNullable<SearchQuery['sortBy']>,
  matches: readonly { id: number }[],
): Promise<number[]> {
  return matches.length === 0 ? [] : sortBy(matches.map(({ id }) => id))
}

const variantCache = new LRUCache<string, string[]>({ max: 1000 })

function knownVariants(words: string): string[] {
  const variants = variantCache.get(words) ?? regionalVariants(words)
  variantCache.set(words, variants)
  return variants
}

/** The query as typed, then in the words of other regions. */
function toWordings({ words, regional = false }: SearchQuery): Wording[] {
  const variants = regional ? knownVariants(words) : []
  return [words, ...variants].flatMap((words) => {
    const parsed = parseQuery(words)
    return parsed ? [{ words, parsed }] : []
  })
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
  for await (const { candidates, matchedIn, weight, wording = 0 } of results.batches()) {
    for (const { id, pages } of candidates) {
      if (seen.has(id)) continue
      seen.add(id)
      pending.push({ id, matchedIn, weight: weight + pagesBonus(pages), wording })
    }
    if (pending.length < Math.min(minFilterBatch, maxTotal) && !isLate()) continue
    await filterPending()
    if (matches.length >= maxTotal) return { matches: matches.slice(0, maxTotal), hasMore: true }
    if (isLate() && matches.length >= offset + limit) return { matches, hasMore: true }
  }
  await filterPending()
  return { matches: matches.slice(0, maxTotal), hasMore: matches.length >= maxTotal }
}
