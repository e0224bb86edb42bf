import { type SelectQueryBuilder, sql } from 'kysely'
import type { stats } from '#shared/contract/stats.ts'
import { convertingStatuses, DocumentStatus } from '#shared/document-status.ts'
import type { Reply } from '#shared/endpoint.ts'
import { ReviewStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { bit } from '#server/db/tables/column.ts'

/** What waits for staff, counted as the lists that show it count it. */
export async function countPending({ db }: Ctx): Promise<Reply<typeof stats.pending>> {
  const byStatus = await countDocumentsByStatus(db)
  const countDocuments = (...statuses: readonly DocumentStatus[]) =>
    statuses.reduce<number>((sum, status) => sum + (byStatus.get(status) ?? 0), 0)
  const [articles, comments, reports, mails] = await Promise.all([
    // In literals: SQLite uses the partial index `article_waiting` for no parameter.
    countRows(
      db.selectFrom('article').where('deleted_at', 'is', null).where('status', '=', sql.lit(ReviewStatus.Pending)),
    ),
    countRows(db.selectFrom('comment').where('status', '=', ReviewStatus.Pending).where('is_deleted', '=', 0)),
    countRows(db.selectFrom('report').where('status', '=', bit(false))),
    countRows(db.selectFrom('mail').where('state', '=', 'failed')),
  ])
  return {
    document_review: countDocuments(DocumentStatus.InReview),
    article_review: articles,
    comment_review: comments,
    report: reports,
    failed_conversion: countDocuments(DocumentStatus.Failed),
    conversion_queue: countDocuments(...convertingStatuses),
    failed_mail: mails,
  }
}

const { Pending, Converting, Failed, PendingReconversion, InReview } = DocumentStatus
const pendingStatuses = [Pending, Converting, Failed, PendingReconversion, InReview]

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

async function countRows<T extends keyof Tables>(query: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}
