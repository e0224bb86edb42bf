import type { Entry, PageHits, PageText, SearchHit } from '../fulltext.ts'
import { countHits, extractExcerpt, highlight } from '../text/highlight.ts'
import type { Source } from './candidates.ts'
import { listMatchingPages, maxAlternatives, readMatchingPages } from './find-pages.ts'
import { planAlternatives } from './plan.ts'
import type { Needle, ParsedQuery } from '../text/query.ts'
import type { EntryPage, Match, StoredMetadata } from './store.ts'
import { pageScore } from './weights.ts'

interface HitRequest {
  id: number
  /** The last page that may be quoted and counted. */
  lastPage: number
}

/** Of an entry with at most this many pages all pages with hits are read; of a longer one the index lists them first. */
const maxShortEntryPages = 40
/** Pages of a long entry that are read to find the best one. */
const maxPagesScored = 24
/** For all hits of a result page together: to count pages, and to find any page at all. */
const countingBudgetMs = 100
const findingBudgetMs = 1500

/** Completes results with highlights, best page and excerpt, in the given order. */
export async function buildHits(
  source: Source,
  query: ParsedQuery,
  requests: HitRequest[],
  cache: Map<string, SearchHit>,
): Promise<SearchHit[]> {
  const missing = requests.filter((request) => !cache.has(keyOf(request)))
  const built = new Map<string, SearchHit>()
  if (missing.length > 0) {
    for (const { key, hit, isComplete } of await buildMissing(source, query, missing)) {
      built.set(key, hit)
      if (isComplete) cache.set(key, hit)
    }
  }
  return requests
    .map((request) => built.get(keyOf(request)) ?? cache.get(keyOf(request)))
    .filter((hit) => hit !== undefined)
}

function keyOf({ id, lastPage }: HitRequest): string {
  return `${id} ${lastPage}`
}

interface BuiltHit {
  key: string
  hit: SearchHit
  /** Whether there was time to count all its pages. */
  isComplete: boolean
}

async function buildMissing(source: Source, query: ParsedQuery, requests: HitRequest[]): Promise<BuiltHit[]> {
  const { store, kind } = source
  const entries = await store.metadata(
    kind,
    requests.map(({ id }) => id),
  )
  const startedAt = performance.now()
  const budgeted = { ...source, countUntil: startedAt + countingBudgetMs, findUntil: startedAt + findingBudgetMs }
  const pages = await readLikelyPages(budgeted, query, entries, requests)
  const isComplete = performance.now() < budgeted.countUntil
  const scored = requests.map((request) => ({ ...request, ...scorePages(query, pages.get(request.id)) }))
  const bestPages = scored.flatMap(({ id, bestPage }) => (bestPage ? [{ id, page: bestPage.page }] : []))
  const texts = bestPages.length > 0 ? await store.pageTexts(kind, bestPages) : []
  const entryById = new Map(entries.map((entry) => [entry.id, entry]))
  const textById = new Map(texts.map(({ id, text }) => [id, text]))
  return scored.map(({ id, lastPage, matchingPages, bestPage }) => {
    const entry = entryById.get(id)
    const quoted = textById.get(id) ?? entry?.description
    const titleRanges = entry ? highlight(entry.title, query) : []
    const excerpt = quoted ? extractExcerpt(quoted, query) : undefined
    const hit = { id, titleRanges, matchingPages, ...(bestPage && { bestPage }), ...(excerpt && { excerpt }) }
    return { key: keyOf({ id, lastPage }), hit, isComplete }
  })
}

interface BudgetedSource extends Source {
  countUntil: number
  findUntil: number
}

interface LikelyPages {
  /** Folded pages to score. */
  pages: PageText[]
  /** How many more pages have hits. */
  more: number
}

async function readLikelyPages(
  source: BudgetedSource,
  query: ParsedQuery,
  entries: readonly StoredMetadata[],
  requests: readonly HitRequest[],
): Promise<Map<number, LikelyPages>> {
  const { store, kind } = source
  const needles = [...new Set([query.phrase.text, ...query.words.map(({ text }) => text)])]
  const shortIds = entries.filter(({ pages }) => pages > 0 && pages <= maxShortEntryPages).map(({ id }) => id)
  const likely = new Map<number, LikelyPages>(shortIds.map((id) => [id, { pages: [], more: 0 }]))
  const pages: EntryPage[] = shortIds.length > 0 ? await store.foldedPagesContaining(needles, kind, shortIds) : []
  const lastPages = new Map(requests.map(({ id, lastPage }) => [id, lastPage]))
  const isVisible = (id: number, page: number) => page <= (lastPages.get(id) ?? 0)
  for (const page of pages) if (isVisible(page.id, page.page)) likely.get(page.id)?.pages.push(page)
  for (const { id, pages } of entries) {
    if (pages <= maxShortEntryPages) continue
    likely.set(id, await likelyPagesOfLong(source, query, { kind, id, lastPage: lastPages.get(id) ?? 0 }))
  }
  return likely
}

/** If a page has the phrase, only such pages count. */
function scorePages(
  query: ParsedQuery,
  likely: LikelyPages = { pages: [], more: 0 },
): { matchingPages: number; bestPage?: PageHits } {
  const scored = likely.pages.map((page) => scorePage(page, query)).filter(({ hits }) => hits > 0)
  const hasPhrase = scored.some((page) => page.hasPhrase)
  const matchingPages = scored.filter((page) => page.hasPhrase || !hasPhrase).length + likely.more
  const [best] = scored.toSorted((a, b) => b.score - a.score || a.page - b.page)
  return best ? { matchingPages, bestPage: { page: best.page, hits: best.hits } } : { matchingPages }
}

function scorePage({ page, text }: PageText, query: ParsedQuery) {
  const phraseHits = countHits(text, query.phrase.text)
  const hasPhrase = phraseHits > 0
  const wordHits = hasPhrase ? [] : query.words.map((word) => countHits(text, word.text))
  const hits = hasPhrase ? phraseHits : wordHits.reduce((sum, count) => sum + count, 0)
  return { page, hits, hasPhrase, score: pageScore(phraseHits, wordHits) }
}

/** Pages with the phrase, or else those with the most words. */
async function likelyPagesOfLong(
  source: BudgetedSource,
  query: ParsedQuery,
  { lastPage, ...entry }: Entry & Pick<HitRequest, 'lastPage'>,
): Promise<LikelyPages> {
  const visiblePages = async (needle: Needle) =>
    (await pagesContaining(source, needle, entry)).filter((page) => page <= lastPage)
  let numbers = await visiblePages(query.phrase)
  if (numbers.length === 0 && query.words.length > 1) {
    const wordsOnPage = new Map<number, number>()
    for (const word of query.words)
      for (const page of await visiblePages(word)) wordsOnPage.set(page, (wordsOnPage.get(page) ?? 0) + 1)
    numbers = [...wordsOnPage].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).map(([page]) => page)
  }
  const pages = await source.store.foldedPages(entry, numbers.slice(0, maxPagesScored))
  return { pages, more: Math.max(0, numbers.length - maxPagesScored) }
}

/** Where tokens prove nothing, pages are rechecked: as long as there is time to count, or until a first one is found. */
async function pagesContaining(source: BudgetedSource, needle: Needle, entry: Entry): Promise<number[]> {
  const matches = planAlternatives(needle, source.vocabulary)
  const proven = await listMatchingPages(source.store, entry, matches.filter(isProof).slice(0, maxAlternatives))
  if (proven.length > 0) return proven
  for (const match of matches.filter((match) => !isProof(match))) {
    const numbers: number[] = []
    for await (const pages of readMatchingPages(source.store, entry, [match])) {
      numbers.push(...pages.filter(({ text }) => text.includes(needle.text)).map(({ page }) => page))
      if (performance.now() > (numbers.length > 0 ? source.countUntil : source.findUntil)) return numbers
    }
    if (numbers.length > 0) return numbers
  }
  return []
}

/** Whether the tokens alone prove that a page matches. */
function isProof({ contains, isEntryLevel }: Match): boolean {
  return contains.length === 0 && !isEntryLevel
}
