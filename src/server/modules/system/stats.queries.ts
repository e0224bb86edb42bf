import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

type Counted = 'user' | 'category' | 'friendlink'

/** Modules that come later add their own tables here. */
export async function countAll(db: Db) {
  const [user_count, category_count, friendlink_count] = await Promise.all(
    (['user', 'category', 'friendlink'] as const).map((table) => countRows(db, table)),
  )
  // Each owner's row says how many public ones they have: documents may be a hundred times as many as people.
  const { document_count } = await db
    .selectFrom('user')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('doc_count'), sql<number>`0`).as('document_count'))
    .executeTakeFirstOrThrow()
  return {
    user_count: user_count ?? 0,
    category_count: category_count ?? 0,
    friendlink_count: friendlink_count ?? 0,
    document_count,
    article_count: 0,
    comment_count: 0,
    banner_count: 0,
    report_count: 0,
  }
}

async function countRows(db: Db, table: Counted): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
