import { ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderPublish } from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { PermanentJobError } from '#server/jobs/queue.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { prepareCrawledArticle } from '../../articles/publishing/crawled.ts'
import type { Sanitizer } from '../../articles/articles.sanitizer.ts'
import { assertAllowedExt } from '../../attachments/attachments.policy.ts'
import { touchContent } from '../../attachments/attachments.store.ts'
import { findLibraryDocument } from '../../documents/documents.queries.ts'
import { publishCrawled } from '../../documents/publishing/crawled.ts'
import { type Failure, internalFailure, toFailure } from '../crawl/failures.ts'
import type { SpiderDocumentRow } from '../crawl/work.ts'
import { readRule } from '../sources/rule.ts'
import { addToday } from '../spider.counts.ts'
import { writeLog } from '../spider.log.ts'
import { moveSpiderDocuments } from '../spider.status.ts'
import { findTwin, lockTwins } from './twins.ts'

/** Publishes a crawled file or article in one transaction. A job that was killed is done again; nothing is published twice. */
export async function publishDocument(
  ctx: Ctx,
  { sanitizer }: { sanitizer: Sanitizer },
  { id, run }: { id: number; run: JobRun },
): Promise<void> {
  await moveSpiderDocuments(ctx, [id], 'startPublish')
  const row = await ctx.db.selectFrom('spider_document').selectAll().where('id', '=', id).executeTakeFirst()
  if (row?.status !== SpiderDocumentStatus.Publishing) return
  try {
    if (row.target === ContentType.Article) await publishArticle(ctx, sanitizer, row)
    else await publishFile(ctx, row)
  } catch (error) {
    if (error instanceof NoLongerPublishing) return
    const failure = toFailure(error)
    // It may be the database's fault: the job is tried again a few times.
    if (!failure && !run.last) throw error
    await recordFailure(ctx, row, failure ?? internalFailure(error))
    if (!failure) throw new PermanentJobError('not published', { cause: error })
  }
}

/** Thrown to undo what another worker has done at the same time, or what staff have deleted meanwhile. */
class NoLongerPublishing extends Error {}

async function publishFile(ctx: Ctx, row: SpiderDocumentRow): Promise<void> {
  // The owner may have changed the setting since the file was found.
  assertAllowedExt(ctx, row.ext)
  const isReviewed = await isReviewedBy(ctx, row)
  await transaction(ctx, async (ctx) => {
    // Locks the content: the same file from another address waits here, and is then in the library.
    await touchContent(ctx, row)
    const existing = await findLibraryDocument(ctx.db, row.hash)
    if (existing) return record(ctx, row, { document_id: existing.id, attachment_id: 0 }, 'linked')
    const { id } = await publishCrawled(ctx, {
      ...describe(row),
      attachmentId: row.attachment_id,
      language: row.language,
      price: row.price,
      isReviewed,
    })
    await record(ctx, row, { document_id: id }, 'published')
  })
}

async function publishArticle(ctx: Ctx, sanitizer: Sanitizer, row: SpiderDocumentRow): Promise<void> {
  const isReviewed = await isReviewedBy(ctx, row)
  const article = { ...describe(row), content: row.content, isReviewed }
  // It may take long, and comes before the transaction for that reason.
  const prepared = await prepareCrawledArticle(ctx, article, sanitizer)
  await transaction(ctx, async (ctx) => {
    await lockTwins(ctx.db)
    const twin = await findTwin(ctx.db, row)
    if (twin) return record(ctx, row, { article_id: twin.article_id }, 'linked')
    const { id } = await prepared.publish(ctx)
    await record(ctx, row, { article_id: id }, 'published')
  })
}

function describe(row: SpiderDocumentRow) {
  return {
    ownerId: row.user_id,
    title: row.title,
    description: row.description,
    keywords: row.keywords,
    categoryIds: JSON.parse(row.category_ids) as number[],
    sourceName: row.source_name,
    sourceUrl: row.url,
  }
}

/** What staff publish themselves needs no review, unless the source says so. What a source said that is gone is not known. */
async function isReviewedBy({ db }: Ctx, { source_id }: SpiderDocumentRow): Promise<boolean> {
  if (source_id === 0) return false
  const source = await db.selectFrom('spider_source').select('rule').where('id', '=', source_id).executeTakeFirst()
  return !source || readRule(source).publish === SpiderPublish.Review
}

async function record(
  ctx: Ctx,
  { id }: SpiderDocumentRow,
  became: { document_id?: number; article_id?: number; attachment_id?: number },
  event: 'published' | 'linked',
): Promise<void> {
  const published_at = ctx.now()
  const moved = await moveSpiderDocuments(ctx, [id], 'publish', { ...became, published_at, reason: '', detail: '' })
  if (moved.length === 0) throw new NoLongerPublishing()
  await leaveDeletedSource(ctx, id)
  await writeLog(ctx, { spider_document_id: id, event })
  await addToday(ctx, { published: 1 })
}

/** The deletion of a source leaves what is being published with it, for `isReviewedBy`. */
async function leaveDeletedSource({ db }: Ctx, id: number): Promise<void> {
  await db
    .updateTable('spider_document')
    .set({ source_id: 0 })
    .where('id', '=', id)
    .where('source_id', '<>', 0)
    .where('source_id', 'not in', (eb) => eb.selectFrom('spider_source').select('spider_source.id'))
    .execute()
}

async function recordFailure(ctx: Ctx, { id }: SpiderDocumentRow, { reason, detail }: Failure): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const moved = await moveSpiderDocuments(ctx, [id], 'failPublish', { reason, detail })
    if (moved.length === 0) return
    await writeLog(ctx, { spider_document_id: id, event: 'failed', reason, detail })
    await addToday(ctx, { failed: 1 })
  })
}
