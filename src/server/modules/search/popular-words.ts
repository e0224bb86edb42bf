import type { ContentType } from '#shared/enums.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import type { Ctx } from '#server/context.ts'
import { fold } from '#server/fulltext/text/fold.ts'

export interface PopularWord {
  word: string
  /** How many networks have searched for it. */
  people: number
  folded: string
  pinyin: string
}

export type PopularWords = (ctx: Ctx, type: ContentType) => Promise<PopularWord[]>

const cacheMs = 20_000
const maxWords = 300
/** Only the latest records are counted: it must not take long. */
const maxRecords = 10_000

/**
 * Words that found something, most popular first: by the number of networks, so that no single visitor can make a word
 * popular. Counted now and then, not with each keystroke.
 */
export function openPopularWords(): PopularWords {
  const byType = new Map<ContentType, (ctx: Ctx) => Promise<PopularWord[]>>()
  return (ctx, type) => {
    const count = byType.get(type) ?? memoizeFor(cacheMs, (ctx: Ctx) => countPopular(ctx, type))
    byType.set(type, count)
    return count(ctx)
  }
}

async function countPopular({ db, search }: Ctx, type: ContentType): Promise<PopularWord[]> {
  const rows = await db
    .selectFrom(db.selectFrom('search_record').selectAll().orderBy('id', 'desc').limit(maxRecords).as('latest'))
    .select(({ fn }) => ['keywords as word', fn.count<number>('network').distinct().as('people')])
    .where('type', '=', type)
    .where('total', '>', 0)
    // Searches by the server's own rendering have no network.
    .where('network', '<>', '')
    .groupBy('keywords')
    .orderBy('people', 'desc')
    .orderBy('keywords')
    .limit(maxWords)
    .execute()
  const pinyin = rows.length > 0 ? await search.toPinyin(rows.map(({ word }) => word)) : []
  return rows.map((row, index) => ({ ...row, folded: fold(row.word), pinyin: pinyin[index] ?? '' }))
}
