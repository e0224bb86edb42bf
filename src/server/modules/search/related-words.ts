import type { ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { fold } from '#server/fulltext/text/fold.ts'
import { toQueryTerms } from '#server/fulltext/text/terms.ts'
import { findsSomething } from './finds-something.ts'
import type { PopularWords } from './popular-words.ts'

const maxRelated = 12
const maxPopular = 4
/** The best results, whose keywords are offered. */
const maxHits = 5
/** Words that are tried until enough of them find something. */
const maxTried = 8

interface RelatedOptions {
  words: string
  type: ContentType
  /** The best results. */
  hits: readonly { keywords: string }[]
  popularWords: PopularWords
}

/** What others have searched for with the same words, then the keywords of the best results, which find these results. */
export async function relatedWords(ctx: Ctx, { words, type, hits, popularWords }: RelatedOptions): Promise<string[]> {
  const typed = fold(words)
  const { terms } = toQueryTerms(words)
  const shares = (folded: string) => typed.includes(folded) || terms.some((term) => folded.includes(term))
  const popular = (await popularWords(ctx, type)).filter(
    ({ people, folded }) => people > 1 && folded !== typed && shares(folded),
  )
  const related: string[] = []
  for (const { word } of popular.slice(0, maxTried))
    if (related.length < maxPopular && (await findsSomething(ctx, word, type))) related.push(word)
  const isOther = (word: string) => ![typed, ...related.map(fold)].includes(fold(word))
  return [...related, ...sharedKeywords(hits.slice(0, maxHits)).filter(isOther)].slice(0, maxRelated)
}

/** Keywords that more of the results have come first. */
function sharedKeywords(hits: readonly { keywords: string }[]): string[] {
  const counts = new Map<string, { word: string; times: number }>()
  for (const { keywords } of hits)
    for (const word of new Set(keywords.split(',').map((keyword) => keyword.trim()))) {
      const known = counts.get(fold(word))
      if (known) known.times++
      else if (fold(word) !== '') counts.set(fold(word), { word, times: 1 })
    }
  return [...counts.values()].toSorted((a, b) => b.times - a.times).map(({ word }) => word)
}

/** Parts of a query that found nothing as a whole. */
export async function wordsThatFind(
  ctx: Ctx,
  { words, type }: { words: string; type: ContentType },
): Promise<string[]> {
  const { pieces, terms } = toQueryTerms(words)
  const parts = new Set([...pieces, ...terms].filter((part) => part !== fold(words)))
  const finding: string[] = []
  for (const part of [...parts].slice(0, maxTried)) if (await findsSomething(ctx, part, type)) finding.push(part)
  return finding
}
