import type { searches, Suggestion } from '#shared/contract/search.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { fold } from '#server/fulltext/text/fold.ts'
import { rangesIn } from '#server/fulltext/text/highlight.ts'
import { lettersIn } from '#server/fulltext/text/spelling.ts'
import { findsArticle, suggestArticles } from './suggest-articles.ts'
import { findsDocument, suggestDocuments } from './suggest-documents.ts'
import { questionOf } from './answer.ts'

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
    type === 1 ? suggestArticles(ctx, words, mostTitles) : suggestDocuments(ctx, words, mostTitles),
  ])
  return { suggestion: [...asked.map((word) => suggestionOf(word, words)), ...titles] }
}

/** The site owner's choice; without one, what was looked for and found most. */
export async function hotWords(ctx: Ctx): Promise<Reply<typeof searches.hot>> {
  const chosen = ctx.settings.system.recommend_words
  if (chosen.length > 0) return { word: chosen.slice(0, mostHot) }
  const word: string[] = []
  for (const popular of (await popularWords(ctx, 0)).slice(0, 2 * mostHot))
    if (popular.people > 1 && word.length < mostHot && (await findsSomething(ctx, popular.word, 0)))
      word.push(popular.word)
  return { word }
}

function suggestionOf(word: string, words: string): Suggestion {
  return { text: word, ranges: rangesIn(word, words), uuid: '', ext: '' }
}

async function askedBefore(ctx: Ctx, words: string, type: number): Promise<string[]> {
  const wanted = fold(words)
  const letters = lettersIn(words)
  const fitting = (await popularWords(ctx, type)).filter(
    ({ people, folded, spelling }) =>
      people > 1 &&
      folded !== wanted &&
      (folded.includes(wanted) || (letters !== undefined && spelling.includes(letters))),
  )
  const shown: string[] = []
  for (const { word } of fitting.slice(0, mostTried))
    if (shown.length < mostWords && (await findsSomething(ctx, word, type))) shown.push(word)
  return shown
}

/** A word may name what nobody may see any more. */
function findsSomething(ctx: Ctx, word: string, type: number): Promise<boolean> {
  return type === 1 ? findsArticle(ctx, word) : findsDocument(ctx, word)
}

interface Popular {
  word: string
  people: number
  folded: string
  spelling: string
}

interface Kept {
  at: number
  words: Promise<Popular[]>
}

const keptMs = 20_000
const mostPopular = 300
const mostTried = 8
/** No more of the latest records are counted: it must not take long. */
const mostRecords = 10_000
const kept = new WeakMap<Ctx['db'], Map<number, Kept>>()

/**
 * Words that found something, the most wanted first: by how many have asked, so that nobody can make a word popular alone.
 * Counted now and then, not with each letter that somebody types.
 */
function popularWords(ctx: Ctx, type: number): Promise<Popular[]> {
  const byType = kept.get(ctx.db) ?? new Map<number, Kept>()
  kept.set(ctx.db, byType)
  const before = byType.get(type)
  if (before && ctx.now() - before.at < keptMs) return before.words
  const words = countPopular(ctx, type)
  byType.set(type, { at: ctx.now(), words })
  words.catch(() => byType.delete(type))
  return words
}

async function countPopular({ db, search }: Ctx, type: number): Promise<Popular[]> {
  const rows = await db
    .selectFrom(db.selectFrom('search_record').selectAll().orderBy('id', 'desc').limit(mostRecords).as('latest'))
    .select(({ fn }) => ['keywords as word', fn.count<number>('network').distinct().as('people')])
    .where('type', '=', type)
    .where('total', '>', 0)
    // Pages that the server renders are asked for by nobody in particular.
    .where('network', '<>', '')
    .groupBy('keywords')
    .orderBy('people', 'desc')
    .orderBy('keywords')
    .limit(mostPopular)
    .execute()
  const spellings = rows.length > 0 ? await search.spell(rows.map(({ word }) => word)) : []
  return rows.map((row, index) => ({ ...row, folded: fold(row.word), spelling: spellings[index] ?? '' }))
}
