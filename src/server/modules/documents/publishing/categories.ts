import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { countInCategory } from '../documents.counts.ts'
import { isPublic } from '../documents.policy.ts'

interface Placed {
  id: number
  status: number
  deleted_at: number | null
}

/** New documents into categories they are not in yet. Counts are the caller's. */
export async function putInto(db: Db, documentIds: readonly number[], categoryIds: readonly number[]): Promise<void> {
  const rows = documentIds.flatMap((document_id) => categoryIds.map((category_id) => ({ document_id, category_id })))
  // So many at once as both databases take.
  for (let start = 0; start < rows.length; start += 5000)
    await db
      .insertInto('document_category')
      .values(rows.slice(start, start + 5000))
      .execute()
}

/**
 * Takes documents out of all their categories and puts them into others. Call it in a transaction that has written to
 * the documents' rows: nobody may change whether they are counted meanwhile.
 */
export async function replaceCategories(ctx: Ctx, documents: readonly Placed[], categoryIds: readonly number[]) {
  const ids = documents.map(({ id }) => id)
  const counted = documents.filter(isPublic).map(({ id }) => id)
  const changes = new Map(categoryIds.map((id) => [id, counted.length]))
  const left = await ctx.db
    .selectFrom('document_category')
    .select(['category_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('document_id', 'in', [0, ...counted])
    .groupBy('category_id')
    .execute()
  for (const { category_id, count } of left) changes.set(category_id, (changes.get(category_id) ?? 0) - count)
  await ctx.db.deleteFrom('document_category').where('document_id', 'in', ids).execute()
  await putInto(ctx.db, ids, categoryIds)
  for (const [id, change] of [...changes].toSorted(([a], [b]) => a - b))
    if (change !== 0) await countInCategory(ctx.db, id, change)
}
