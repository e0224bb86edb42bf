import type { Source } from './candidates.ts'
import { fewMatches, pagesOf, textsOf } from './find-pages.ts'
import { fold } from './fold.ts'
import { excerptOf, highlight, hitsIn } from './highlight.ts'
import type { Needle, Query } from './query.ts'
import { matchesOf } from './resolve.ts'
import type { Entry, Found, PageText } from './search.ts'
import type { Match, StoredHead } from './store.ts'

interface Shown {
  id: number
  lastPage: number
}

/** An entry with so few pages is read whole; of others the pages are looked up first. */
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
  const keyOf = ({ id, lastPage }: Shown) => `${id} ${lastPage}`
  const ids = shown.filter((one) => !known.has(keyOf(one))).map(({ id }) => id)
  const heads = ids.length > 0 ? await source.store.heads(source.kind, ids) : []
  const byId = new Map(heads.map((head) => [head.id, head]))
  const begun = performance.now()
  const timed = { ...source, countUntil: begun + countingMs, deadline: begun + patienceMs }
  const found: Found[] = []
  for (const one of shown) {
    const before = known.get(keyOf(one))
    const now = before ?? (await presentOne(timed, query, one, byId.get(one.id)))
    // In too little time pages may have been left uncounted.
    if (performance.now() < timed.countUntil) known.set(keyOf(one), now)
    found.push(now)
  }
  return found
}

interface Timed extends Source {
  countUntil: number
  deadline: number
}

async function presentOne(source: Timed, query: Query, { id, lastPage }: Shown, head?: StoredHead): Promise<Found> {
  const title = head ? highlight(head.title, query) : []
  const { texts, more } = await likelyPages(source, query, { kind: source.kind, id }, head?.pages ?? 0)
  const judged = texts.map(({ page, text }) => ({ page, text, ...judge(fold(text), query) }))
  const most = Math.max(...judged.map(({ worth }) => worth))
  const pages =
    judged.filter(({ hits, worth }) => hits > 0 && (most < phraseWorth || worth >= phraseWorth)).length + more
  const [best] = judged
    .filter(({ page, hits }) => page <= lastPage && hits > 0)
    .toSorted((one, other) => other.worth - one.worth || one.page - other.page)
  if (best) {
    const { page, hits, text } = best
    return { id, title, pages, best: { page, hits }, excerpt: excerptOf(text, query) }
  }
  return { id, title, pages, ...(head?.description && { excerpt: excerptOf(head.description, query) }) }
}

/** Pages to read, and how many more have hits. Of a long entry: those with the phrase, else those with most of the words. */
async function likelyPages(
  source: Timed,
  query: Query,
  entry: Entry,
  pages: number,
): Promise<{ texts: PageText[]; more: number }> {
  if (pages <= fewPages) return { texts: await source.store.textsFrom(entry, 1, fewPages), more: 0 }
  let likely = await pagesWith(source, query.phrase, entry)
  if (likely.length === 0 && query.words.length > 1) {
    const met = new Map<number, number>()
    for (const word of query.words)
      for (const page of await pagesWith(source, word, entry)) met.set(page, (met.get(page) ?? 0) + 1)
    likely = [...met].toSorted((one, other) => other[1] - one[1] || one[0] - other[0]).map(([page]) => page)
  }
  const texts = await source.store.texts(entry, likely.slice(0, pagesRead))
  return { texts, more: Math.max(0, likely.length - pagesRead) }
}

/** Pages that have it. Where tokens are no proof they are looked into: as far as time allows, or else up to the first. */
async function pagesWith(source: Timed, needle: Needle, entry: Entry): Promise<number[]> {
  const matches = matchesOf(needle, source.vocabulary)
  const proven = await pagesOf(source.store, entry, matches.filter(isProof).slice(0, fewMatches))
  if (proven.length > 0) return proven
  const isThere = ({ text }: PageText) => text.includes(needle.text) || fold(text).includes(needle.text)
  for (const match of matches.filter((match) => !isProof(match))) {
    const having: number[] = []
    for await (const texts of textsOf(source.store, entry, [match])) {
      having.push(...texts.filter(isThere).map(({ page }) => page))
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
