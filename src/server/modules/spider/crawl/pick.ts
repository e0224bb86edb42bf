import { SpiderDocumentStatus, SpiderUrlStatus } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'
import { type CrawlSource, findSourceRow, mayRequest, staffSource, toCrawlSource } from './crawl-source.ts'
import { checkedStatuses } from './runs.ts'
import type { SpiderDocumentRow, UrlRow, Work } from './work.ts'

/** Which address of an origin is requested next. */

type Due = { kind: 'url'; row: UrlRow } | { kind: 'download' | 'check'; row: SpiderDocumentRow }

/** Gives the sources of an origin their turns: a large one does not keep the others waiting. */
export function openPicker(origin: string): (ctx: Ctx) => Promise<Work | undefined> {
  let waiting: number[] = []
  return async (ctx) => {
    for (let isFresh = false; ; ) {
      const [sourceId, ...others] = waiting
      if (sourceId === undefined) {
        if (isFresh) return undefined
        waiting = await findSources(ctx, origin)
        isFresh = true
        continue
      }
      waiting = others
      const work = await findWork(ctx, origin, sourceId)
      if (!work) continue
      waiting.push(sourceId)
      return work
    }
  }
}

/** When more of the origin will be due; undefined when nothing is put off. What is due and may not be requested is left to the tick. */
export async function findNextDueAt(ctx: Ctx, origin: string): Promise<number | undefined> {
  const rows = await Promise.all(
    waitingRows(ctx.db, origin).map((query) =>
      query
        .select((eb) => eb.fn.min<number | null>('due_at').as('due_at'))
        .where('due_at', '>', ctx.now())
        .executeTakeFirst(),
    ),
  )
  const times = rows.flatMap((row) => row?.due_at ?? [])
  return times.length > 0 ? Math.min(...times) : undefined
}

/** Those with due rows; 0 for staff's own. Whether they may be requested is asked for each row. */
async function findSources(ctx: Ctx, origin: string): Promise<number[]> {
  const ids = new Set<number>()
  for (const query of waitingRows(ctx.db, origin)) {
    const rows = await query.select('source_id').distinct().where('due_at', '<=', ctx.now()).execute()
    for (const { source_id } of rows) ids.add(source_id)
  }
  return [...ids]
}

async function findWork(ctx: Ctx, origin: string, sourceId: number): Promise<Work | undefined> {
  const row = sourceId > 0 ? await findSourceRow(ctx.db, sourceId) : undefined
  if (row && !mayRequest(ctx, row)) return undefined
  const due = await findDue(ctx, origin, sourceId)
  if (!due) return undefined
  // Of a source that was deleted: it is requested no more, but must not wait for ever.
  const source = row ? toCrawlSource(row) : await staffSourceOf(ctx.db, due)
  return { ...due, source }
}

/** The one that has been due for the longest time: pages and files take their turns as they are found. */
async function findDue(ctx: Ctx, origin: string, sourceId: number): Promise<Due | undefined> {
  const [urls, downloads, checks] = waitingRows(ctx.db, origin)
  const first = <Q extends typeof urls | typeof downloads>(query: Q) => query
  const now = ctx.now()
  const url = await first(urls)
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  const [download, check] = await Promise.all(
    [downloads, checks].map((query) =>
      query
        .selectAll()
        .where('source_id', '=', sourceId)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  const found: Due[] = []
  if (url) found.push({ kind: 'url', row: url })
  if (download) found.push({ kind: 'download', row: download })
  if (check) found.push({ kind: 'check', row: check })
  return found.toSorted((a, b) => a.row.due_at - b.row.due_at)[0]
}

function waitingRows(db: Db, origin: string) {
  return [
    db.selectFrom('spider_url').where('origin', '=', origin).where('status', '=', SpiderUrlStatus.Pending),
    db
      .selectFrom('spider_document')
      .where('origin', '=', origin)
      .where('status', '=', SpiderDocumentStatus.DownloadQueue),
    db
      .selectFrom('spider_document')
      .where('origin', '=', origin)
      .where('check_due', '=', bit(true))
      .where('status', 'in', checkedStatuses),
  ] as const
}

async function staffSourceOf(db: Db, { kind, row }: Due): Promise<CrawlSource> {
  if (kind === 'url') return staffSource(row.user_id, row.url)
  const page = await db.selectFrom('spider_url').select('url').where('id', '=', row.url_id).executeTakeFirst()
  return staffSource(row.user_id, page?.url ?? row.url)
}
