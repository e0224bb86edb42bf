import type { Updateable } from 'kysely'
import { allCodes } from '#shared/codes.ts'
import {
  nextSpiderDocumentStatus,
  nextUrlStatus,
  type SpiderDocumentEvent,
  SpiderDocumentStatus,
  type SpiderUrlEvent,
  SpiderUrlStatus,
} from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'

/** The one place where the status of a link or of a found document changes: those in whose status the event means nothing stay. */

type UrlChanges = Omit<Updateable<Tables['spider_url']>, 'id' | 'status'>
type DocumentChanges = Omit<Updateable<Tables['spider_document']>, 'id' | 'status'>

/** Gives the ids of those that have moved. */
export async function moveUrls(
  ctx: Ctx,
  ids: readonly number[],
  event: SpiderUrlEvent,
  changes: UrlChanges = {},
): Promise<number[]> {
  if (ids.length === 0) return []
  return transaction(ctx, async (ctx) => {
    const moved: number[] = []
    // What has moved must not move once more by its new status.
    const statuses = allCodes(SpiderUrlStatus)
    const before = await ctx.db.selectFrom('spider_url').select(['id', 'status']).where('id', 'in', ids).execute()
    for (const from of statuses) {
      const status = nextUrlStatus(from, event)
      const those = before.filter((row) => row.status === from).map(({ id }) => id)
      if (status === undefined || those.length === 0) continue
      const rows = await ctx.db
        .updateTable('spider_url')
        .set({ ...changes, status, updated_at: ctx.now() })
        .where('id', 'in', those)
        .where('status', '=', from)
        .returning('id')
        .execute()
      moved.push(...rows.map(({ id }) => id))
    }
    return moved
  })
}

/** All links of a source, however many. */
export async function moveUrlsOfSource(
  ctx: Ctx,
  sourceId: number,
  event: SpiderUrlEvent,
  changes: UrlChanges = {},
): Promise<void> {
  const moves = allCodes(SpiderUrlStatus).flatMap((from) => {
    const status = nextUrlStatus(from, event)
    return status === undefined ? [] : [{ from, status }]
  })
  for (const [status, froms] of Map.groupBy(moves, (move) => move.status))
    await ctx.db
      .updateTable('spider_url')
      .set({ ...changes, status, updated_at: ctx.now() })
      .where('source_id', '=', sourceId)
      .where(
        'status',
        'in',
        froms.map(({ from }) => from),
      )
      .execute()
}

/** Gives the ids of those that have moved. */
export async function moveSpiderDocuments(
  ctx: Ctx,
  ids: readonly number[],
  event: SpiderDocumentEvent,
  changes: DocumentChanges = {},
): Promise<number[]> {
  if (ids.length === 0) return []
  return transaction(ctx, async (ctx) => {
    const moved: number[] = []
    const before = await ctx.db.selectFrom('spider_document').select(['id', 'status']).where('id', 'in', ids).execute()
    for (const from of allCodes(SpiderDocumentStatus)) {
      const status = nextSpiderDocumentStatus(from, event)
      const those = before.filter((row) => row.status === from).map(({ id }) => id)
      if (status === undefined || those.length === 0) continue
      const rows = await ctx.db
        .updateTable('spider_document')
        .set({ ...changes, status, updated_at: ctx.now() })
        .where('id', 'in', those)
        .where('status', '=', from)
        .returning('id')
        .execute()
      moved.push(...rows.map(({ id }) => id))
    }
    return moved
  })
}
