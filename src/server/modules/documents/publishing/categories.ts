import type { DocumentStatus } from '#shared/document-status.ts'
import type { Visibility } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { countInCategory } from '../documents.counts.ts'
import { isPublic } from '../documents.policy.ts'

/** Both databases take this many parameters in one statement. */
const parameterBatch = 5000

interface CategorizedDocument {
  id: number
  status: DocumentStatus
  visibility: Visibility
  deleted_at: number | null
}

/** Links new documents to categories. Counters are the caller's concern. */
export async function linkCategories(
  db: Db,
  documentIds: readonly number[],
  categoryIds: readonly number[],
): Promise<void> {
  const rows = documentIds.flatMap((document_id) => categoryIds.map((category_id) => ({ document_id, category_id })))
  for (let start = 0; start < rows.length; start += parameterBatch)
    await db
      .insertInto('document_category')
      .values(rows.slice(start, start + parameterBatch))
      .execute()
}

/**
 * Unlinks documents from all their categories and links them to others. Call it in a transaction that has written to the
 * documents' rows, and thereby locks them: their visibility decides whether they are counted.
 */
export async function replaceCategories(
  ctx: Ctx,
  documents: readonly CategorizedDocument[],
  categoryIds: readonly number[],
) {
  const ids = documents.map(({ id }) => id)
  const counted = documents.filter(isPublic).map(({ id }) => id)
  const changes = new Map(categoryIds.map((id) => [id, counted.length]))
  const currentLinks = await ctx.db
    .selectFrom('document_category')
    .select(['category_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('document_id', 'in', [0, ...counted])
    .groupBy('category_id')
    .execute()
  for (const { category_id, count } of currentLinks) changes.set(category_id, (changes.get(category_id) ?? 0) - count)
  await ctx.db.deleteFrom('document_category').where('document_id', 'in', ids).execute()
  await linkCategories(ctx.db, ids, categoryIds)
  for (const [id, change] of [...changes].toSorted(([a], [b]) => a - b))
    if (change !== 0) await countInCategory(ctx.db, id, change)
}
