import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { beginCounting } from '#server/modules/catalog/categories.queries.ts'

/** Documents that have become visible (1) or have gone (-1) are added to or taken from their categories and owners. */
export async function countDocuments(db: Db, ids: readonly number[], sign: 1 | -1): Promise<void> {
  if (ids.length === 0) return
  await beginCounting(db)
  const perCategory = await db
    .selectFrom('document_category')
    .select(['category_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('document_id', 'in', ids)
    .groupBy('category_id')
    // In one order everywhere, so that two who count at once cannot wait for each other.
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
      .set({ doc_count: atLeastNone('doc_count', sign * count) })
      .where('id', '=', user_id)
      .execute()
  }
}

export async function countInCategory(db: Db, id: number, change: number): Promise<void> {
  await db
    .updateTable('category')
    .set({ doc_count: atLeastNone('doc_count', change) })
    .where('id', '=', id)
    .execute()
}

function atLeastNone(column: string, change: number) {
  const ref = sql.ref<number>(column)
  return sql<number>`case when ${ref} + ${change} < 0 then 0 else ${ref} + ${change} end`
}
