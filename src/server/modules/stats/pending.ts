import { type SelectQueryBuilder, sql } from 'kysely'
import type { stats } from '#shared/contract/stats.ts'
import { unpreviewableReason } from '#shared/conversion.ts'
import { convertingStatuses, DocumentStatus, failedStatuses } from '#shared/document-status.ts'
import type { Reply } from '#shared/endpoint.ts'
import { OrderStatus, ReplacementStatus, ReviewStatus } from '#shared/enums.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import type { Ctx, Viewer } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { bit } from '#server/db/tables/column.ts'
import { countWorkers } from '#server/modules/system/workers.ts'

type Pending = Reply<typeof stats.pending>

/** Who may do something about it. */
const permissions: Partial<Record<keyof Pending, PermissionPath>> = {
  document_review: 'DocumentAPI/CheckDocument',
  replacement_review: 'DocumentAPI/CheckDocument',
  article_review: 'ArticleAPI/CheckArticles',
  comment_review: 'CommentAPI/CheckComment',
  report: 'ReportAPI/UpdateReport',
  failed_conversion: 'DocumentAPI/SetDocumentReconvert',
  conversion_queue: 'DocumentAPI/ListDocument',
  failed_mail: 'MailAPI/RetryMail',
  claimed_order: 'OrderAPI/UpdateOrder',
  surplus_order: 'OrderAPI/UpdateOrder',
  bill_difference: 'OrderAPI/UpdateOrder',
  failed_crawl: 'SpiderDocumentAPI/UpdateSpiderDocument',
}

/** Without the work that the viewer may not do. */
export function toOwnWork(pending: Pending, viewer: Viewer): Pending {
  const own = { ...pending }
  for (const [key, permission] of Object.entries(permissions) as [keyof Pending, PermissionPath][])
    if (!viewer.can(permission)) own[key] = 0
  return own
}

/** What waits for staff, counted as the lists that show it count it. */
export async function countPending(ctx: Ctx): Promise<Pending> {
  const { db } = ctx
  const byStatus = await countDocumentsByStatus(db)
  const countDocuments = (...statuses: readonly DocumentStatus[]) =>
    statuses.reduce<number>((sum, status) => sum + (byStatus.get(status) ?? 0), 0)
  const [
    unpreviewable,
    replacements,
    articles,
    comments,
    reports,
    mails,
    claims,
    surplus,
    differences,
    crawls,
    workers,
  ] = await Promise.all([
    countUnpreviewable(db),
    countRows(
      db
        .selectFrom('document_replacement')
        .innerJoin('document', 'document.id', 'document_replacement.document_id')
        .where('document_replacement.status', '=', ReplacementStatus.InReview)
        .where('document.deleted_at', 'is', null),
    ),
    // In literals: SQLite uses the partial index `article_waiting` for no parameter.
    countRows(
      db.selectFrom('article').where('deleted_at', 'is', null).where('status', '=', sql.lit(ReviewStatus.Pending)),
    ),
    countRows(db.selectFrom('comment').where('status', '=', ReviewStatus.Pending).where('is_deleted', '=', 0)),
    countRows(db.selectFrom('report').where('status', '=', bit(false))),
    countRows(db.selectFrom('mail').where('state', '=', 'failed')),
    countRows(db.selectFrom('order').where('status', '=', OrderStatus.Pending).where('claimed_at', 'is not', null)),
    countRows(db.selectFrom('order').where('has_surplus', '=', 1)),
    countRows(db.selectFrom('bill_difference').where('is_handled', '=', 0)),
    countRows(db.selectFrom('spider_document').where('status', 'in', failedCrawls)),
    countWorkers(ctx),
  ])
  return {
    document_review: countDocuments(DocumentStatus.InReview),
    replacement_review: replacements,
    article_review: articles,
    comment_review: comments,
    report: reports,
    failed_conversion: countDocuments(...failedStatuses) - unpreviewable,
    conversion_queue: countDocuments(...convertingStatuses),
    failed_mail: mails,
    claimed_order: claims,
    surplus_order: surplus,
    bill_difference: differences,
    failed_crawl: crawls,
    worker_count: workers,
  }
}

const failedCrawls = [SpiderDocumentStatus.DownloadFailed, SpiderDocumentStatus.PublishFailed]

const { Pending, Converting, Failed, PendingReconversion, InReview, FailedInReview } = DocumentStatus
const pendingStatuses = [Pending, Converting, Failed, PendingReconversion, InReview, FailedInReview]

/** Spelled as the partial index `document_waiting` is: SQLite compares the expressions. */
async function countDocumentsByStatus(db: Db): Promise<Map<DocumentStatus, number>> {
  const statuses = sql.join(pendingStatuses.map((status) => sql.lit(status)))
  const rows = await db
    .selectFrom('document')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`status in (${statuses})`)
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** Spelled as the partial index is, too. */
function countUnpreviewable(db: Db): Promise<number> {
  const statuses = sql.join(pendingStatuses.map((status) => sql.lit(status)))
  return countRows(
    db
      .selectFrom('document')
      .innerJoin('rendition', 'rendition.hash', 'document.hash')
      .where('document.deleted_at', 'is', null)
      .where(sql<boolean>`status in (${statuses})`)
      .where('document.status', '=', DocumentStatus.Failed)
      .where('rendition.reason', '=', unpreviewableReason),
  )
}

async function countRows<T extends keyof Tables>(query: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}
