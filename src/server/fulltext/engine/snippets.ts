import type { Source } from './candidates.ts'
import { fewMatches, foldedOf, pagesOf } from './find-pages.ts'
import { excerptOf, highlight, hitsIn } from '../text/highlight.ts'
import type { Needle, Query } from './query.ts'
import { matchesOf } from './plan.ts'
import type { Entry, Found, PageHits, PageText } from '../fulltext.ts'
import type { Match, PageOf, StoredHead } from './store.ts'

interface Shown {
  id: number
  lastPage: number
}

/** Of an entry with so few pages all with hits are read; of others the pages are looked up first. */
const fewPages = 40
/** So many of those are read to find the best one to open. */
const pagesRead = 24
/** For all that is shown together: to count pages, and to find any at all. */
const countingMs = 100
const patienceMs = 1500

/** What is shown of each that was found, in the order asked for. */
export async function present(
  source: Source,
  query: Query,
  shown: Shown[],
  known: Map<string, Found>,
): Promise<Found[]> {
  const fresh = shown.filter((one) => !known.has(keyOf(one)))
  const now = new Map<string, Found>()
  if (fresh.length > 0) {
    for (const { isWhole, found, key } of await presentAll(source, query, fresh)) {
      now.set(key, found)
      // In too little time pages may have been left uncounted.
      if (isWhole) known.set(key, found)
    }
  }
  return shown.map((one) => now.get(keyOf(one)) ?? known.get(keyOf(one))).filter((found) => found !== undefined)
}

function keyOf({ id, lastPage }: Shown): string {
  return `${id} ${lastPage}`
}

interface Presented {
  key: string
  found: Found
  isWhole: boolean
}

async function presentAll(source: Source, query: Query, shown: Shown[]): Promise<Presented[]> {
  const { store, kind } = source
  const heads = await store.heads(
    kind,
    shown.map(({ id }) => id),
  )
  const begun = performance.now()
  const timed = { ...source, countUntil: begun + countingMs, deadline: begun + patienceMs }
  const read = await readPages(timed, query, heads)
  const isWhole = performance.now() < timed.countUntil
  const judged = shown.map((one) => ({ ...one, ...judgeEntry(query, one, read.get(one.id)) }))
  const bests = judged.flatMap(({ id, best }) => (best ? [{ id, page: best.page }] : []))
  const texts = bests.length > 0 ? await store.texts(kind, bests) : []
  const byId = new Map(heads.map((head) => [head.id, head]))
  const textOf = new Map(texts.map(({ id, text }) => [id, text]))
  return judged.map(({ id, lastPage, pages, best }) => {
    const head = byId.get(id)
    const quoted = textOf.get(id) ?? head?.description
    const title = head ? highlight(head.title, query) : []
    const found = { id, title, pages, ...(best && { best }), ...(quoted && { excerpt: excerptOf(quoted, query) }) }
    return { key: keyOf({ id, lastPage }), found, isWhole }
  })
}

interface Timed extends Source {
  countUntil: number
  deadline: number
}

/** Pages to judge, and how many more have hits. */
interface Likely {
  texts: PageText[]
  more: number
}

async function readPages(source: Timed, query: Query, heads: readonly StoredHead[]): Promise<Map<number, Likely>> {
  const { store, kind } = source
  const parts = [...new Set([query.phrase.text, ...query.words.map(({ text }) => text)])]
  const short = heads.filter(({ pages }) => pages > 0 && pages <= fewPages).map(({ id }) => id)
  const read = new Map<number, Likely>(short.map((id) => [id, { texts: [], more: 0 }]))
  const met: PageOf[] = short.length > 0 ? await store.foldedWith(parts, kind, short) : []
  for (const page of met) read.get(page.id)?.texts.push(page)
  for (const { id, pages } of heads) if (pages > fewPages) read.set(id, await likelyPages(source, query, { kind, id }))
  return read
}

function judgeEntry(query: Query, { lastPage }: Shown, read?: Likely): { pages: number; best?: PageHits } {
  const judged = read?.texts.map(({ page, text }) => ({ page, ...judge(text, query) })) ?? []
  const most = Math.max(...judged.map(({ worth }) => worth))
  const counted = judged.filter(({ hits, worth }) => hits > 0 && (most < phraseWorth || worth >= phraseWorth))
  const [best] = judged
    .filter(({ page, hits }) => page <= lastPage && hits > 0)
    .toSorted((one, other) => other.worth - one.worth || one.page - other.page)
  const pages = counted.length + (read?.more ?? 0)
  return best ? { pages, best: { page: best.page, hits: best.hits } } : { pages }
}

/** Of a long entry: the pages with the phrase, else those with most of the words. */
async function likelyPages(source: Timed, query: Query, entry: Entry): Promise<Likely> {
  let likely = await pagesWith(source, query.phrase, entry)
  if (likely.length === 0 && query.words.length > 1) {
    const met = new Map<number, number>()
    for (const word of query.words)
      for (const page of await pagesWith(source, word, entry)) met.set(page, (met.get(page) ?? 0) + 1)
    likely = [...met].toSorted((one, other) => other[1] - one[1] || one[0] - other[0]).map(([page]) => page)
  }
  const texts = await source.store.folded(entry, likely.slice(0, pagesRead))
  return { texts, more: Math.max(0, likely.length - pagesRead) }
}

/** Pages that have it. Where tokens are no proof they are looked into: as far as time allows, or else up to the first. */
async function pagesWith(source: Timed, needle: Needle, entry: Entry): Promise<number[]> {
  const matches = matchesOf(needle, source.vocabulary)
  const proven = await pagesOf(source.store, entry, matches.filter(isProof).slice(0, fewMatches))
  if (proven.length > 0) return proven
  for (const match of matches.filter((match) => !isProof(match))) {
    const having: number[] = []
    for await (const pages of foldedOf(source.store, entry, [match])) {
      having.push(...pages.filter(({ text }) => text.includes(needle.text)).map(({ page }) => page))
      if (performance.now() > (having.length > 0 ? source.countUntil : source.deadline)) return having
    }
    if (having.length > 0) return having
  }
  return []
}

function isProof({ has, isBroad }: Match): boolean {
  return has.length === 0 && !isBroad
}

const phraseWorth = 10_000

function judge(folded: string, query: Query): { hits: number; worth: number } {
  const phrase = hitsIn(folded, query.phrase.text)
  if (phrase > 0 || query.words.length === 1) return { hits: phrase, worth: phraseWorth + Math.min(900, phrase) }
  const each = query.words.map((word) => hitsIn(folded, word.text))
  const hits = each.reduce((sum, count) => sum + count, 0)
  return { hits, worth: each.filter(Boolean).length * 100 + Math.min(99, hits) }
}
