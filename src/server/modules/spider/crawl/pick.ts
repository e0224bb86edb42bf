import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { type CrawlSource, findSourceRow, mayRequest, staffSource, toCrawlSource } from './crawl-source.ts'
import { waitingChecks, waitingDownloads, waitingRows, waitingUrls } from './waiting.ts'
import type { SpiderDocumentRow, UrlRow, Work } from './work.ts'

/** Which address of an origin is requested next. */

type Due = { kind: 'url'; row: UrlRow } | { kind: 'download' | 'check'; row: SpiderDocumentRow }

/** Gives the sources of an origin their turns: a large one does not keep the others waiting. */
export function openPicker(origin: string): (ctx: Ctx) => Promise<Work | undefined> {
  const sourceQueue: number[] = []
  return async (ctx) => {
    for (let hasLooked = false; ;) {
      const sourceId = sourceQueue.shift()
      if (sourceId === undefined) {
        if (hasLooked) return undefined
        sourceQueue.push(...(await findSources(ctx, origin)))
        hasLooked = true
        continue
      }
      const work = await findWork(ctx, origin, sourceId)
      if (!work) continue
      sourceQueue.push(sourceId)
      return work
    }
  }
}

/** When more of the origin will be due; undefined when nothing is. What may not be requested now is left to the tick. */
export async function findNextDueAt(ctx: Ctx, origin: string): Promise<number | undefined> {
  const row = await waitingRows(ctx.db)
    .select((eb) => eb.fn.min<number | null>('due_at').as('due_at'))
    .where('origin', '=', origin)
    .where('due_at', '>', ctx.now())
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Those with due rows; 0 for staff's own. Whether they may be requested is asked for each row. */
async function findSources(ctx: Ctx, origin: string): Promise<number[]> {
  const rows = await waitingRows(ctx.db)
    .select('source_id')
    .distinct()
    .where('origin', '=', origin)
    .where('due_at', '<=', ctx.now())
    .execute()
  return rows.map(({ source_id }) => source_id)
}

async function findWork(ctx: Ctx, origin: string, sourceId: number): Promise<Work | undefined> {
  const row = sourceId > 0 ? await findSourceRow(ctx.db, sourceId) : undefined
  if (row && !mayRequest(ctx, row)) return undefined
  const due = await findDue(ctx, origin, sourceId)
  return due && { ...due, source: row ? toCrawlSource(row) : await staffSourceOf(ctx.db, due) }
}

/** The one that has been due for the longest time: pages and files take their turns as they are found. */
async function findDue(ctx: Ctx, origin: string, sourceId: number): Promise<Due | undefined> {
  const now = ctx.now()
  const url = await waitingUrls(ctx.db)
    .selectAll()
    .where('origin', '=', origin)
    .where('source_id', '=', sourceId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  const firstOf = (query: ReturnType<typeof waitingDownloads>) =>
    query
      .selectAll()
      .where('origin', '=', origin)
      .where('source_id', '=', sourceId)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
  const download = await firstOf(waitingDownloads(ctx.db))
  const check = await firstOf(waitingChecks(ctx.db))
  const found: Due[] = [
    ...(url ? [{ kind: 'url' as const, row: url }] : []),
    ...(download ? [{ kind: 'download' as const, row: download }] : []),
    ...(check ? [{ kind: 'check' as const, row: check }] : []),
  ]
  return found.toSorted((a, b) => a.row.due_at - b.row.due_at)[0]
}

/** Of an address that staff entered; also of a source that was deleted. */
async function staffSourceOf(db: Db, { kind, row }: Due): Promise<CrawlSource> {
  if (kind === 'url') return staffSource(row.user_id, row.url)
  const page = await db.selectFrom('spider_url').select('url').where('id', '=', row.url_id).executeTakeFirst()
  return staffSource(row.user_id, page?.url ?? row.url)
}
