import type { Source } from './candidates.ts'
import { fold } from './fold.ts'
import { excerptOf, highlight, hitsIn } from './highlight.ts'
import { type Needle, type Query, readQuery } from './query.ts'
import { matchesOf } from './resolve.ts'
import type { Entry, FindQuestion, Found, PageHits, PageText } from './search.ts'
import type { StoredHead } from './store.ts'

interface Shown {
  id: number
  lastPage: number
}

/** An entry with so few pages is read whole; of others the pages are looked up first. */
const fewPages = 40
/** So many of those are read to find the best one to open. */
const pagesRead = 24
const pagesAtOnce = 100

/** What is shown of each that was found, in the order asked for. */
export async function present(source: Source, query: Query, shown: Shown[]): Promise<Found[]> {
  const ids = shown.map(({ id }) => id)
  const heads = ids.length > 0 ? await source.store.heads(source.kind, ids) : []
  const byId = new Map(heads.map((head) => [head.id, head]))
  const found: Found[] = []
  for (const one of shown) found.push(await presentOne(source, query, one, byId.get(one.id)))
  return found
}

/** Every page with hits: of the phrase, or of any word when it is nowhere in one piece. */
export async function findPages(source: Source, { kind, id, words }: FindQuestion): Promise<PageHits[]> {
  const query = readQuery(words)
  if (!query) return []
  const phrase = await hitsOf(source, { kind, id }, query.phrase)
  if (phrase.size > 0 || query.words.length === 1) return inOrder(phrase)
  const sum = new Map<number, number>()
  for (const word of query.words)
    for (const [page, hits] of await hitsOf(source, { kind, id }, word)) sum.set(page, (sum.get(page) ?? 0) + hits)
  return inOrder(sum)
}

async function presentOne(source: Source, query: Query, { id, lastPage }: Shown, head?: StoredHead): Promise<Found> {
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
  source: Source,
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

async function pagesWith({ store, vocabulary }: Source, needle: Needle, entry: Entry): Promise<number[]> {
  for (const match of matchesOf(needle, vocabulary)) {
    const pages = match.isBroad
      ? (await store.textsFrom(entry, 1, pagesAtOnce)).map(({ page }) => page)
      : await store.pagesOf(match, entry)
    if (pages.length > 0 && match.has.length === 0 && !match.isBroad) return pages
    const texts = await store.texts(entry, pages.slice(0, pagesAtOnce))
    const having = texts.filter(({ text }) => fold(text).includes(needle.text)).map(({ page }) => page)
    // Behind the first ones the tokens are taken for the phrase.
    if (having.length > 0) return [...having, ...pages.slice(pagesAtOnce)]
  }
  return []
}

async function hitsOf({ store, vocabulary }: Source, entry: Entry, needle: Needle): Promise<Map<number, number>> {
  const hits = new Map<number, number>()
  const read = (texts: PageText[]) => {
    for (const { page, text } of texts) {
      const count = hitsIn(fold(text), needle.text)
      if (count > 0) hits.set(page, count)
    }
  }
  const [only, other] = matchesOf(needle, vocabulary)
  if (!only) return hits
  if (!other && !only.isBroad) {
    const pages = await store.pagesOf(only, entry)
    for (let from = 0; from < pages.length; from += pagesAtOnce)
      read(await store.texts(entry, pages.slice(from, from + pagesAtOnce)))
    return hits
  }
  for (let from: number | undefined = 1; from !== undefined;) {
    const texts: PageText[] = await store.textsFrom(entry, from, pagesAtOnce)
    read(texts)
    const last = texts.at(-1)
    from = last && texts.length === pagesAtOnce ? last.page + 1 : undefined
  }
  return hits
}

function inOrder(hits: Map<number, number>): PageHits[] {
  return [...hits].map(([page, hits]) => ({ page, hits })).toSorted((one, other) => one.page - other.page)
}

const phraseWorth = 10_000

function judge(folded: string, query: Query): { hits: number; worth: number } {
  const phrase = hitsIn(folded, query.phrase.text)
  if (phrase > 0 || query.words.length === 1) return { hits: phrase, worth: phraseWorth + Math.min(900, phrase) }
  const each = query.words.map((word) => hitsIn(folded, word.text))
  const hits = each.reduce((sum, count) => sum + count, 0)
  return { hits, worth: each.filter(Boolean).length * 100 + Math.min(99, hits) }
}
