import type { searches, Suggestion } from '#shared/contract/search.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { fold } from '#server/search/fold.ts'
import { rangesIn } from '#server/search/highlight.ts'
import { lettersIn } from '#server/search/spelling.ts'
import { suggestDocuments } from '../documents/documents.suggest.ts'
import { questionOf } from '../documents/documents.search.ts'

const mostWords = 4
const mostTitles = 6
const mostHot = 10

/** While somebody types: what others have looked for and found, and titles. Letters may be a spelling of hanzi. */
export async function suggest(
  ctx: Ctx,
  { wd, type }: Input<typeof searches.suggest>,
): Promise<Reply<typeof searches.suggest>> {
  const words = questionOf(wd)
  if (words === '' || !ctx.settings.search.enable_suggest) return { suggestion: [] }
  const [asked, titles] = await Promise.all([
    askedBefore(ctx, words, type),
    type === 0 ? suggestDocuments(ctx, words, mostTitles) : [],
  ])
  const own = fold(words)
  const known = asked.filter((word) => fold(word) !== own).slice(0, mostWords)
  return { suggestion: [...known.map((word) => suggestionOf(word, words)), ...titles] }
}

/** The site owner's choice; without one, what was looked for and found most. */
export async function hotWords(ctx: Ctx): Promise<Reply<typeof searches.hot>> {
  const chosen = ctx.settings.system.recommend_words
  if (chosen.length > 0) return { word: chosen.slice(0, mostHot) }
  const popular = await popularWords(ctx, 0)
  return {
    word: popular
      .filter(({ people }) => people > 1)
      .map(({ word }) => word)
      .slice(0, mostHot),
  }
}

function suggestionOf(word: string, words: string): Suggestion {
  return { text: word, ranges: rangesIn(word, words), uuid: '', ext: '' }
}

async function askedBefore(ctx: Ctx, words: string, type: number): Promise<string[]> {
  const wanted = fold(words)
  const popular = (await popularWords(ctx, type)).filter(({ people }) => people > 1).map(({ word }) => word)
  const letters = lettersIn(words)
  if (letters === undefined) return popular.filter((word) => fold(word).includes(wanted))
  const spellings = await ctx.search.spell(popular)
  return popular.filter((word, index) => fold(word).includes(wanted) || spellings[index]?.includes(letters))
}

interface Popular {
  word: string
  people: number
}

interface Kept {
  at: number
  words: Promise<Popular[]>
}

const keptMs = 10_000
const mostPopular = 300
const kept = new WeakMap<Ctx['db'], Map<number, Kept>>()

/**
 * Words that found something, the most wanted first: by how many have asked, so that nobody can make a word popular alone.
 * Counted now and then, not with each letter that somebody types.
 */
function popularWords({ db, now }: Ctx, type: number): Promise<Popular[]> {
  const byType = kept.get(db) ?? new Map<number, Kept>()
  kept.set(db, byType)
  const before = byType.get(type)
  if (before && now() - before.at < keptMs) return before.words
  const words = db
    .selectFrom('search_record')
    .select(({ fn }) => ['keywords as word', fn.count<number>('ip').distinct().as('people')])
    .where('type', '=', type)
    .where('total', '>', 0)
    // Pages that the server renders are asked for by nobody in particular.
    .where('ip', '<>', '')
    .groupBy('keywords')
    .orderBy('people', 'desc')
    .orderBy('keywords')
    .limit(mostPopular)
    .execute()
  byType.set(type, { at: now(), words })
  words.catch(() => byType.delete(type))
  return words
}
