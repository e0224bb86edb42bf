import type { spiderDocuments } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { enqueue } from '#server/jobs.ts'
import { enqueueHosts } from '../crawl/enqueue-hosts.ts'
import { selectStopped } from '../sources/sources.queries.ts'
import { assertSpiderEnabled } from '../spider.enabled.ts'
import { moveSpiderDocuments } from '../spider.status.ts'

/** What staff have the crawler do with found documents. Those in whose status it means nothing are skipped. */

type Changed = Reply<typeof spiderDocuments.download>

export async function downloadDocuments(
  ctx: Ctx,
  { id: ids }: Input<typeof spiderDocuments.download>,
): Promise<Changed> {
  assertSpiderEnabled(ctx)
  return transaction(ctx, async (ctx) => toChanged(ids, await queueDownloads(ctx, ids)))
}

export async function publishDocuments(ctx: Ctx, { id: ids }: Input<typeof spiderDocuments.publish>): Promise<Changed> {
  return transaction(ctx, async (ctx) => toChanged(ids, await queuePublications(ctx, ids)))
}

/** Each from the step that has failed. */
export async function retryDocuments(ctx: Ctx, { id: ids }: Input<typeof spiderDocuments.retry>): Promise<Changed> {
  return transaction(ctx, async (ctx) => {
    const rows = await ctx.db.selectFrom('spider_document').select(['id', 'status']).where('id', 'in', ids).execute()
    const failed = (status: SpiderDocumentStatus) => rows.filter((row) => row.status === status).map(({ id }) => id)
    const downloads = failed(SpiderDocumentStatus.DownloadFailed)
    if (downloads.length > 0) assertSpiderEnabled(ctx)
    const moved = await queueDownloads(ctx, downloads)
    // Those who may not publish do not publish by trying again.
    if (ctx.viewer.can('SpiderDocumentAPI/PublishSpiderDocument'))
      moved.push(...(await queuePublications(ctx, failed(SpiderDocumentStatus.PublishFailed))))
    return toChanged(ids, moved)
  })
}

/** A new beginning, without the earlier failures. */
function afresh({ now }: Ctx) {
  return { reason: '', detail: '', tries: 0, due_at: now() } as const
}

async function queueDownloads(ctx: Ctx, ids: readonly number[]): Promise<number[]> {
  const moved = await moveSpiderDocuments(ctx, await findRequestable(ctx.db, ids), 'queueDownload', afresh(ctx))
  if (moved.length === 0) return moved
  const hosts = await ctx.db
    .selectFrom('spider_document')
    .select('origin')
    .distinct()
    .where('id', 'in', moved)
    .execute()
  await enqueueHosts(
    ctx,
    hosts.map(({ origin }) => origin),
  )
  return moved
}

/** Without those of a source that is paused or switched off: they would wait for ever. */
async function findRequestable(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('spider_document')
    .select('id')
    .where('id', 'in', ids)
    .where('source_id', 'not in', selectStopped(db))
    .execute()
  return rows.map(({ id }) => id)
}

async function queuePublications(ctx: Ctx, ids: readonly number[]): Promise<number[]> {
  const moved = await moveSpiderDocuments(ctx, ids, 'queuePublish', afresh(ctx))
  await adopt(ctx, moved)
  for (const document of moved) await enqueue(ctx, 'spider.publish', { document })
  return moved
}

/** What a user who is gone entered without a source belongs to the user who publishes it. */
async function adopt({ db, viewer }: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('spider_document')
    .set({ user_id: viewer.id })
    .where('id', 'in', ids)
    .where('source_id', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user')
            .select('user.id')
            .whereRef('user.id', '=', 'spider_document.user_id')
            .where('user.deleted_at', 'is', null),
        ),
      ),
    )
    .execute()
}

function toChanged(ids: readonly number[], moved: readonly number[]): Changed {
  return { changed: moved.length, skipped: new Set(ids).size - moved.length }
}
