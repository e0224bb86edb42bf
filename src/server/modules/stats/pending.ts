import { type SelectQueryBuilder, sql } from 'kysely'
import type { stats } from '#shared/contract/system.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { keptFor } from '#server/concurrency/memoize.ts'

/** What somebody has to look at, as the lists that show it count it. */
export const waitingOf = keptFor(3000, count)

async function count({ db }: Ctx): Promise<Reply<typeof stats.waiting>> {
  const byStatus = await documentsByStatus(db)
  const documents = (...statuses: number[]) => statuses.reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0)
  const [articles, comments, reports, mails] = await Promise.all([
    countOf(db.selectFrom('article').where('deleted_at', 'is', null).where('status', '=', sql.lit(0))),
    countOf(db.selectFrom('comment').where('status', '=', 0).where('is_deleted', '=', 0)),
    countOf(db.selectFrom('report').where('status', '=', 0)),
    countOf(db.selectFrom('letter').where('state', '=', 'failed')),
  ])
  return {
    document_review: documents(6),
    article_review: articles,
    comment_review: comments,
    report: reports,
    failed_conversion: documents(3),
    conversion_queue: documents(0, 1, 5),
    failed_mail: mails,
  }
}

/** Spelled as the index `document_waiting` is: SQLite compares the words. */
async function documentsByStatus(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('document')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`status in (0, 1, 3, 5, 6)`)
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, count]))
}

async function countOf<T extends keyof Tables>(query: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}
