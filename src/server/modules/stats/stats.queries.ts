import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

type CountedTable = 'category' | 'friendlink' | 'comment' | 'report' | 'banner'

export async function countAll(db: Db) {
  const [user_count, category_count, friendlink_count, comment_count, report_count, banner_count] = await Promise.all([
    countUsers(db),
    countRows(db, 'category'),
    countRows(db, 'friendlink'),
    countRows(db, 'comment'),
    countRows(db, 'report'),
    countRows(db, 'banner'),
  ])
  // Each author's row says how many public ones they have: documents may be a hundred times as many as people.
  const contentCounts = await db
    .selectFrom('user')
    .select(({ fn }) => [
      fn.coalesce(fn.sum<number>('doc_count'), sql<number>`0`).as('document_count'),
      fn.coalesce(fn.sum<number>('article_count'), sql<number>`0`).as('article_count'),
    ])
    .executeTakeFirstOrThrow()
  return { user_count, category_count, friendlink_count, comment_count, report_count, banner_count, ...contentCounts }
}

/** Without those who have deleted their account. */
async function countUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('user')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

async function countRows(db: Db, table: CountedTable): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
