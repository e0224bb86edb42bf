import type { searches, Suggestion } from '#shared/contract/search.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
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

/** The owner's choice; without one, the most popular words. Only those that find something. */
export async function getHotWords(
  ctx: Ctx,
  type: ContentType,
  popularWords: PopularWords,
): Promise<Reply<typeof searches.hot>> {
  const chosen = await wordsThatFindSomething(ctx, type, ctx.settings.system.recommend_words.slice(0, maxChosen))
  if (chosen.length > 0) return { word: chosen.slice(0, maxHotWords) }
  const popular = (await popularWords(ctx, type)).filter(({ people }) => people > 1).slice(0, 2 * maxHotWords)
  const hot = await wordsThatFindSomething(
    ctx,
    type,
    popular.map(({ word }) => word),
  )
  return { word: hot.slice(0, maxHotWords) }
}

async function wordsThatFindSomething(ctx: Ctx, type: ContentType, words: readonly string[]): Promise<string[]> {
  const isFinding = await Promise.all(words.map((word) => findsSomething(ctx, word, type)))
  return words.filter((_, index) => isFinding[index])
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
