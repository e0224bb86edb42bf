import {
  SpiderDocumentStatus,
  SpiderEntry,
  type SpiderFailure,
  SpiderSourceState,
  SpiderUrlStatus,
} from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'
import { readRule } from '../sources/rule.ts'
import { moveSpiderDocuments, moveUrlsOfSource } from '../spider.status.ts'
import { findSourceRow, toCrawlSource } from './crawl-source.ts'
import { enqueueHosts } from './enqueue-hosts.ts'
import { addUrls, lockAddresses } from './links.ts'
import { nextRunAt } from './schedule.ts'
import { checkedStatuses, startedRows, waitingRows } from './waiting.ts'

/** Those of a run's hosts that are not enqueued at once are by the next tick. */
const maxHostsAtOnce = 200
const stopBatch = 500
/** Bounded by how many parameters a statement may have. */
const batchSize = 500

/** Starts the next run of an idle source. False when it is at work, paused or not enabled. */
export function startRun(ctx: Ctx, sourceId: number): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const before = await findSourceRow(ctx.db, sourceId)
    if (!before || before.enable === 0 || before.state !== SpiderSourceState.Idle) return false
    // First, as what adds links takes it before it touches them.
    await lockAddresses(ctx.db)
    const now = ctx.now()
    // `updated_at` stays: it tells when staff last changed the rule.
    const row = await ctx.db
      .updateTable('spider_source')
      .set({
        state: SpiderSourceState.Running,
        run: before.run + 1,
        started_at: now,
        finished_at: null,
        next_run_at: nextRunAt(readRule(before).schedule, now),
      })
      .where('id', '=', sourceId)
      .where('state', '=', SpiderSourceState.Idle)
      .where('run', '=', before.run)
      .returningAll()
      .executeTakeFirst()
    if (!row) return false
    const isNewRule = before.updated_at > (before.started_at ?? 0)
    if (isNewRule) await clearContents(ctx.db, sourceId)
    else await moveUrlsOfSource(ctx, sourceId, 'again', { due_at: now, tries: 0, reason: '', detail: '' })
    const source = toCrawlSource(row)
    const isSitemap = source.rule.entry === SpiderEntry.Sitemap
    await addUrls(
      ctx,
      source,
      source.rule.start.map((url) => ({ url, depth: 0, isSitemap })),
    )
    await checkDocuments(ctx, sourceId)
    if (source.rule.auto_download) await retryDownloads(ctx, sourceId)
    await enqueueHostsOf(ctx, sourceId)
    return true
  })
}

/** The new rule may find other things on a page that has not changed: all are read again, as far as they are found again. */
async function clearContents(db: Db, sourceId: number): Promise<void> {
  await db
    .updateTable('spider_url')
    .set({ etag: '', last_modified: '', content_hash: '' })
    .where('source_id', '=', sourceId)
    .execute()
}

/** Those whose server can tell without sending them whether they have changed. */
async function checkDocuments(ctx: Ctx, sourceId: number): Promise<void> {
  await ctx.db
    .updateTable('spider_document')
    .set({ check_due: bit(true), due_at: ctx.now(), tries: 0 })
    .where('source_id', '=', sourceId)
    .where('status', 'in', checkedStatuses)
    .where((eb) => eb.or([eb('etag', '<>', ''), eb('last_modified', '<>', '')]))
    .execute()
}

/** What has failed last time for a reason that passes. */
async function retryDownloads(ctx: Ctx, sourceId: number): Promise<void> {
  const failed = await ctx.db
    .selectFrom('spider_document')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('status', '=', SpiderDocumentStatus.DownloadFailed)
    .where('reason', 'in', passingReasons)
    .execute()
  const ids = failed.map(({ id }) => id)
  for (let at = 0; at < ids.length; at += batchSize)
    await moveSpiderDocuments(ctx, ids.slice(at, at + batchSize), 'queueDownload', {
      due_at: ctx.now(),
      tries: 0,
      reason: '',
      detail: '',
    })
}

const passingReasons: readonly SpiderFailure[] = [
  'unreachable',
  'timeout',
  'interrupted',
  'malformed',
  'rate_limited',
  'server_error',
  'robots_unknown',
  'disk_full',
  'internal',
]

export function pauseRun(ctx: Ctx, sourceId: number): Promise<boolean> {
  return changeState(ctx, sourceId, SpiderSourceState.Running, SpiderSourceState.Paused)
}

export function resumeRun(ctx: Ctx, sourceId: number): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const isResumed = await changeState(ctx, sourceId, SpiderSourceState.Paused, SpiderSourceState.Running)
    if (isResumed) await enqueueHostsOf(ctx, sourceId)
    return isResumed
  })
}

/**
 * Ends a run before it has come to its end: links that were never read are deleted, the others are as they were after the run
 * before; downloads that have not begun wait for staff. What is being read at the moment adds nothing any more.
 */
export function stopRun(ctx: Ctx, sourceId: number): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const { numUpdatedRows } = await ctx.db
      .updateTable('spider_source')
      .set({ state: SpiderSourceState.Idle, finished_at: ctx.now() })
      .where('id', '=', sourceId)
      .where('state', '<>', SpiderSourceState.Idle)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    await deleteUnread(ctx.db, sourceId)
    await moveUrlsOfSource(ctx, sourceId, 'cancel')
    await cancelDownloads(ctx, sourceId)
    await ctx.db
      .updateTable('spider_document')
      .set({ check_due: bit(false) })
      .where('source_id', '=', sourceId)
      .where('check_due', '=', bit(true))
      .execute()
    return true
  })
}

async function deleteUnread(db: Db, sourceId: number): Promise<void> {
  const unread = db
    .selectFrom('spider_url')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('status', 'in', [SpiderUrlStatus.Pending, SpiderUrlStatus.Crawling])
    .where('fetched_at', 'is', null)
  await db.deleteFrom('spider_log').where('url_id', 'in', unread).execute()
  await db.deleteFrom('spider_url').where('id', 'in', unread).execute()
}

async function cancelDownloads(ctx: Ctx, sourceId: number): Promise<void> {
  for (let cancelled = stopBatch; cancelled === stopBatch;) {
    const rows = await ctx.db
      .selectFrom('spider_document')
      .select('id')
      .where('source_id', '=', sourceId)
      .where('status', '=', SpiderDocumentStatus.DownloadQueue)
      .limit(stopBatch)
      .execute()
    const ids = rows.map(({ id }) => id)
    cancelled = (await moveSpiderDocuments(ctx, ids, 'cancelDownload')).length
  }
}

async function changeState(
  { db }: Ctx,
  sourceId: number,
  from: SpiderSourceState,
  state: SpiderSourceState,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('spider_source')
    .set({ state })
    .where('id', '=', sourceId)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** Ends the run of a source of which nothing is left to request. */
export async function finishRun(ctx: Ctx, sourceId: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('spider_source')
    .set({ state: SpiderSourceState.Idle, finished_at: ctx.now() })
    .where('id', '=', sourceId)
    .where('state', '=', SpiderSourceState.Running)
    .where(({ not, exists, or }) =>
      not(
        or([
          exists(waitingRows(ctx.db).select('origin').where('source_id', '=', sourceId)),
          exists(startedRows(ctx.db).select('origin').where('source_id', '=', sourceId)),
        ]),
      ),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

async function enqueueHostsOf(ctx: Ctx, sourceId: number): Promise<void> {
  const origins = await waitingRows(ctx.db)
    .select('origin')
    .distinct()
    .where('source_id', '=', sourceId)
    .limit(maxHostsAtOnce)
    .execute()
  await enqueueHosts(
    ctx,
    origins.map(({ origin }) => origin),
  )
}
