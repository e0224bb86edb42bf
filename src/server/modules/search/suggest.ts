import type { searches, Suggestion } from '#shared/contract/search.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import type { Ctx } from '#server/context.ts'
import { cleanQuery } from '#server/fulltext/clean-query.ts'
import { fold } from '#server/fulltext/text/fold.ts'
import { findRanges } from '#server/fulltext/text/highlight.ts'
import { parsePinyin } from '#server/fulltext/text/pinyin.ts'
import { suggestArticles } from './articles.ts'
import { suggestDocuments } from './documents.ts'
import { findsSomething } from './finds-something.ts'
import type { PopularWords } from './popular-words.ts'

const maxWords = 4
const maxTitles = 6
const maxHotWords = 10
const maxChosen = 20
/** How long visitors without an account are offered the same hot words. */
const hotWordsMs = 20_000
/** Words that are tried until enough of them find something. */
const maxTried = 8

/** While a visitor types: words that others have searched for, and titles. Latin letters may be pinyin. */
export async function suggest(
  ctx: Ctx,
  { wd, type }: Input<typeof searches.suggest>,
  popularWords: PopularWords,
): Promise<Reply<typeof searches.suggest>> {
  const words = cleanQuery(wd)
  if (words === '' || !ctx.settings.search.enable_suggest) return { suggestion: [] }
  const [popular, titles] = await Promise.all([
    suggestPopular(ctx, { words, type }, popularWords),
    type === ContentType.Article ? suggestArticles(ctx, words, maxTitles) : suggestDocuments(ctx, words, maxTitles),
  ])
  return { suggestion: [...popular.map((word) => toSuggestion(word, words)), ...titles] }
}

export type HotWords = (ctx: Ctx, type: ContentType) => Promise<Reply<typeof searches.hot>>

/**
 * The owner's choice; without one, the most popular words. Only those that find something: a search for each of them, so
 * that they are chosen now and then for all visitors without an account. What a member finds is the member's own.
 */
export function openHotWords(popularWords: PopularWords): HotWords {
  const byType = new Map<ContentType, (ctx: Ctx) => ReturnType<HotWords>>()
  return (ctx, type) => {
    if (ctx.viewer.id !== 0) return chooseHotWords(ctx, type, popularWords)
    const choose =
      byType.get(type) ??
      memoizeFor(
        hotWordsMs,
        (ctx: Ctx) => chooseHotWords(ctx, type, popularWords),
        ({ settings }) => settings,
      )
    byType.set(type, choose)
    return choose(ctx)
  }
}

async function chooseHotWords(ctx: Ctx, type: ContentType, popularWords: PopularWords): ReturnType<HotWords> {
  const chosen = await wordsThatFindSomething(ctx, type, ctx.settings.system.recommend_words.slice(0, maxChosen))
  if (chosen.length > 0) return { word: chosen }
  const popular = (await popularWords(ctx, type)).filter(({ people }) => people > 1).slice(0, 2 * maxHotWords)
  const words = popular.map(({ word }) => word)
  return { word: await wordsThatFindSomething(ctx, type, words) }
}

/** The first of them, tried one by one: a visitor must not take all connections to the database. */
async function wordsThatFindSomething(ctx: Ctx, type: ContentType, words: readonly string[]): Promise<string[]> {
  const finding: string[] = []
  for (const word of words)
    if (finding.length < maxHotWords && (await findsSomething(ctx, word, type))) finding.push(word)
  return finding
}

function toSuggestion(word: string, words: string): Suggestion {
  return { text: word, ranges: findRanges(word, words), uuid: '', ext: '' }
}

async function suggestPopular(
  ctx: Ctx,
  { words, type }: { words: string; type: ContentType },
  popularWords: PopularWords,
): Promise<string[]> {
  const typed = fold(words)
  const letters = parsePinyin(words)
  const matching = (await popularWords(ctx, type)).filter(
    ({ people, folded, pinyin }) =>
      people > 1 && folded !== typed && (folded.includes(typed) || (letters !== undefined && pinyin.includes(letters))),
  )
  const suggested: string[] = []
  for (const { word } of matching.slice(0, maxTried))
    if (suggested.length < maxWords && (await findsSomething(ctx, word, type))) suggested.push(word)
  return suggested
}
