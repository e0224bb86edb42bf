import type { Entry, FindQuery, PageHits, PageText } from '../fulltext.ts'
import { countHits } from '../text/highlight.ts'
import type { Source } from './candidates.ts'
import { planAlternatives } from './plan.ts'
import { type Needle, type ParsedQuery, parseQuery } from '../text/query.ts'
import type { Match, Store } from './store.ts'

const pageBatch = 100
/** A needle with more alternatives than this occurs in so many words that every page is read instead. */
export const maxAlternatives = 4
const budgetMs = 2000

/** Every page with hits of the phrase; of any of its words if no page has the phrase. */
export async function findPages(source: Source, { kind, id, words, previewPages }: FindQuery): Promise<PageHits[]> {
  const query = parseQuery(words)
  if (!query) return []
  const deadline = performance.now() + budgetMs
  const counter = pageCounter(query, previewPages)
  for await (const pages of pagesWithAny(source, query.words, { kind, id })) {
    for (const page of pages) counter.read(page)
    if (performance.now() > deadline) break
  }
  return counter.pages()
}

interface PageCounter {
  read(page: PageText): void
  pages(): PageHits[]
}

/**
 * Counts the hits on folded pages, read in order. Hits of single words count only if no page has the phrase. The pages of the
 * preview alone decide what is counted: the rest of the document tells nothing that they do not contain.
 */
export function pageCounter(query: ParsedQuery, previewPages = Infinity): PageCounter {
  const counts: { page: number; phrase: number; words: number[] }[] = []
  return {
    read({ page, text }) {
      const words = query.words.map((word) => countHits(text, word.text))
      counts.push({ page, phrase: countHits(text, query.phrase.text), words })
    },
    pages() {
      const preview = counts.filter(({ page }) => page <= previewPages)
      const hasPhrase = preview.some(({ phrase }) => phrase > 0)
      const isKnown = query.words.map((_, index) => preview.some(({ words }) => (words[index] ?? 0) > 0))
      const wordHits = (words: readonly number[]) =>
        words.reduce((sum, hits, index) => (isKnown[index] ? sum + hits : sum), 0)
      return counts
        .map(({ page, phrase, words }) => ({ page, hits: hasPhrase ? phrase : wordHits(words) }))
        .filter(({ hits }) => hits > 0)
    },
  }
}

/** Folded pages with the tokens of one of the matches, in order and in batches; all pages for an entry-level match. */
export async function* readMatchingPages(
  store: Store,
  entry: Entry,
  matches: readonly Match[],
): AsyncGenerator<PageText[]> {
  if (matches.some(({ isEntryLevel }) => isEntryLevel)) {
    yield* readAllPages(store, entry)
    return
  }
  const pages = await listMatchingPages(store, entry, matches)
  for (let from = 0; from < pages.length; from += pageBatch)
    yield await store.foldedPages(entry, pages.slice(from, from + pageBatch))
}

export async function listMatchingPages(store: Store, entry: Entry, matches: readonly Match[]): Promise<number[]> {
  const pages = new Set<number>()
  for (const match of matches) for (const page of await store.matchingPages(match, entry)) pages.add(page)
  return [...pages].toSorted((a, b) => a - b)
}

async function* pagesWithAny({ store, vocabulary }: Source, needles: readonly Needle[], entry: Entry) {
  const alternatives = needles.map((needle) => planAlternatives(needle, vocabulary))
  if (alternatives.some((matches) => matches.length > maxAlternatives)) yield* readAllPages(store, entry)
  else yield* readMatchingPages(store, entry, alternatives.flat())
}

async function* readAllPages(store: Store, entry: Entry): AsyncGenerator<PageText[]> {
  for (let from: number | undefined = 1; from !== undefined;) {
    const pages: PageText[] = await store.foldedPagesFrom(entry, from, pageBatch)
    if (pages.length > 0) yield pages
    const last = pages.at(-1)
    from = last && pages.length === pageBatch ? last.page + 1 : undefined
  }
}
