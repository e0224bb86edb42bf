import type { Source } from './candidates.ts'
import { hitsIn } from '../text/highlight.ts'
import { type Needle, type Query, readQuery } from './query.ts'
import { matchesOf } from './plan.ts'
import type { Entry, FindQuestion, PageHits, PageText } from '../fulltext.ts'
import type { Match, Store } from './store.ts'

const pagesAtOnce = 100
/** A needle that is found in more ways than this is in so many words that every page is read. */
export const fewMatches = 4
const patienceMs = 2000

/** Every page with hits: of the phrase, or of any word when it is nowhere in one piece. */
export async function findPages(source: Source, { kind, id, words }: FindQuestion): Promise<PageHits[]> {
  const query = readQuery(words)
  if (!query) return []
  const deadline = performance.now() + patienceMs
  const counter = pageCounter(query)
  for await (const pages of pagesWithAny(source, query.words, { kind, id })) {
    for (const page of pages) counter.read(page)
    if (performance.now() > deadline) break
  }
  return counter.pages()
}

/** Counts the hits on folded pages that are read in order. Words count only where the phrase is nowhere in one piece. */
export function pageCounter(query: Query): { read(page: PageText): void; pages(): PageHits[] } {
  const counted: { page: number; phrase: number; words: number }[] = []
  return {
    read({ page, text }) {
      const words = query.words.reduce((sum, word) => sum + hitsIn(text, word.text), 0)
      counted.push({ page, phrase: hitsIn(text, query.phrase.text), words })
    },
    pages() {
      const isWhole = counted.some(({ phrase }) => phrase > 0)
      const pages = counted.map(({ page, phrase, words }) => ({ page, hits: isWhole ? phrase : words }))
      return pages.filter(({ hits }) => hits > 0)
    },
  }
}

/** The pages that match, folded, in order, a hundred at a time: of a broad match, all pages. */
export async function* foldedOf(store: Store, entry: Entry, matches: readonly Match[]): AsyncGenerator<PageText[]> {
  if (matches.some(({ isBroad }) => isBroad)) {
    yield* allFolded(store, entry)
    return
  }
  const pages = await pagesOf(store, entry, matches)
  for (let from = 0; from < pages.length; from += pagesAtOnce)
    yield await store.folded(entry, pages.slice(from, from + pagesAtOnce))
}

export async function pagesOf(store: Store, entry: Entry, matches: readonly Match[]): Promise<number[]> {
  const pages = new Set<number>()
  for (const match of matches) for (const page of await store.pagesOf(match, entry)) pages.add(page)
  return [...pages].toSorted((one, other) => one - other)
}

async function* pagesWithAny({ store, vocabulary }: Source, needles: readonly Needle[], entry: Entry) {
  const matches = needles.map((needle) => matchesOf(needle, vocabulary))
  if (matches.some((ways) => ways.length > fewMatches)) yield* allFolded(store, entry)
  else yield* foldedOf(store, entry, matches.flat())
}

async function* allFolded(store: Store, entry: Entry): AsyncGenerator<PageText[]> {
  for (let from: number | undefined = 1; from !== undefined;) {
    const texts: PageText[] = await store.foldedFrom(entry, from, pagesAtOnce)
    if (texts.length > 0) yield texts
    const last = texts.at(-1)
    from = last && texts.length === pagesAtOnce ? last.page + 1 : undefined
  }
}
