import type { Insertable } from 'kysely'
import type { SpiderLog } from '#shared/contract/spider.ts'
import type { Ctx } from '#server/context.ts'
import { dayStart } from '#server/days.ts'
import type { Tables } from '#server/db/tables.ts'

type LogRow = Omit<Insertable<Tables['spider_log']>, 'id' | 'created_at'>

const maxDetailLength = 500
/** Bounded by how many parameters a statement may have. */
const batchSize = 500
/** Of one address. */
const shownEntries = 100

/** In the transaction of what it tells. */
export async function writeLog(ctx: Ctx, ...entries: readonly LogRow[]): Promise<void> {
  if (entries.length === 0) return
  const created_at = ctx.now()
  const rows = entries.map(({ detail = '', ...entry }) => ({
    ...entry,
    detail: detail.slice(0, maxDetailLength).toWellFormed(),
    created_at,
  }))
  for (let at = 0; at < rows.length; at += batchSize)
    await ctx.db
      .insertInto('spider_log')
      .values(rows.slice(at, at + batchSize))
      .execute()
}

export async function listLog(
  { db }: Ctx,
  column: 'url_id' | 'spider_document_id',
  id: number,
): Promise<{ log: SpiderLog[] }> {
  const log = await db
    .selectFrom('spider_log')
    .select(['id', 'event', 'reason', 'http_status', 'bytes', 'duration_ms', 'detail', 'created_at'])
    .where(column, '=', id)
    .orderBy('id', 'desc')
    .limit(shownEntries)
    .execute()
  return { log }
}

export async function purgeLogs(ctx: Ctx): Promise<void> {
  const before = dayStart(ctx.now(), ctx.settings.spider.log_days)
  await ctx.db.deleteFrom('spider_log').where('created_at', '<', before).execute()
}
