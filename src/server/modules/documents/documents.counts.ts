import { sql } from 'kysely'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { foldCopies } from './documents.copies.ts'
import { lockCountsShared } from '#server/modules/catalog/categories.queries.ts'

/** Counts documents that have become public (1) or no longer are (-1) for their categories and owners, and folds equal ones. */
export async function countDocuments(db: Db, ids: readonly number[], sign: 1 | -1): Promise<void> {
  if (ids.length === 0) return
  await foldCopies(db, ids)
  await lockCountsShared(db)
  const perCategory = await db
    .selectFrom('document_category')
    .select(['category_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('document_id', 'in', ids)
    .groupBy('category_id')
    // In id order to prevent deadlocks.
    .orderBy('category_id')
    .execute()
  for (const { category_id, count } of perCategory) await countInCategory(db, category_id, sign * count)
  const perOwner = await db
    .selectFrom('document')
    .select(['user_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('id', 'in', ids)
    .groupBy('user_id')
    .orderBy('user_id')
    .execute()
  for (const { user_id, count } of perOwner) {
    await db
      .updateTable('user')
      .set({ doc_count: addToCounter('doc_count', sign * count) })
      .where('id', '=', user_id)
      .execute()
  }
}

export async function countInCategory(db: Db, id: number, change: number): Promise<void> {
  await db
    .updateTable('category')
    .set({ doc_count: addToCounter('doc_count', change) })
    .where('id', '=', id)
    .execute()
}

/** Never below 0. */
export function addToCounter(column: string, change: number) {
  const ref = sql.ref<number>(column)
  return sql<number>`case when ${ref} + ${change} < 0 then 0 else ${ref} + ${change} end`
}

/**
 * Takes from the counter of each row as much as its id is among these, in one statement for all rows that lose the same
 * number. Call it with the rows locked.
 */
export async function subtractEach(
  db: Db,
  { table, column }: { table: 'user' | 'collection'; column: string },
  ids: readonly number[],
): Promise<void> {
  const times = [...Map.groupBy(ids, (id) => id)].map(([id, { length }]) => ({ id, length }))
  for (const [length, rows] of Map.groupBy(times, (row) => row.length)) {
    const those = inList(
      db,
      'id',
      rows.map(({ id }) => id),
    )
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${addToCounter(column, -length)} where ${those}`.execute(
      db,
    )
  }
}
