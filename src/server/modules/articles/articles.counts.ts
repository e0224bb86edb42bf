import { ContentType, ReviewStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { countInCategory } from '../documents/documents.counts.ts'
import { lockCountsShared } from '#server/modules/catalog/categories.queries.ts'
import { recordPublications } from '#server/modules/catalog/publications.ts'

/** The number of public articles by category and by author. */
interface PublicCounts {
  categories: Map<number, number>
  authors: Map<number, number>
}

export const noPublicCounts: PublicCounts = { categories: new Map(), authors: new Map() }

/**
 * Changes articles and updates the counters of their categories and authors, which count public articles. Call it in a
 * transaction, which locks the articles until it ends.
 */
export async function changeArticles<T>(ctx: Ctx, ids: readonly number[], change: () => Promise<T>): Promise<T> {
  await lockCountsShared(ctx.db)
  await lockRows(ctx, 'article', ids)
  const before = await countPublic(ctx.db, ids)
  const result = await change()
  await updateCounters(ctx.db, before, await countPublic(ctx.db, ids))
  await publishArticles(ctx, ids)
  return result
}

/** Those of them that are public by now. */
export async function publishArticles(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const rows = await selectPublic(ctx.db, ids).select('article.id').execute()
  await recordPublications(
    ctx,
    ContentType.Article,
    rows.map(({ id }) => id),
  )
}

export async function countPublic(db: Db, ids: readonly number[]): Promise<PublicCounts> {
  if (ids.length === 0) return noPublicCounts
  const articles = selectPublic(db, ids)
  const categories = await articles
    .innerJoin('article_category', 'article_category.article_id', 'article.id')
    .select(['category_id as id', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('category_id')
    .execute()
  const authors = await articles
    .select(['user_id as id', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('user_id')
    .execute()
  return { categories: toMap(categories), authors: toMap(authors) }
}

function selectPublic(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('article')
    .where('article.id', 'in', [0, ...ids])
    .where('article.status', '=', ReviewStatus.Approved)
    .where('article.deleted_at', 'is', null)
}

export async function updateCounters(db: Db, before: PublicCounts, after: PublicCounts): Promise<void> {
  for (const [id, change] of differences(before.categories, after.categories)) await countInCategory(db, id, change)
  for (const [id, change] of differences(before.authors, after.authors))
    await db
      .updateTable('user')
      .set((eb) => ({ article_count: eb('article_count', '+', change) }))
      .where('id', '=', id)
      .execute()
}

function toMap(rows: readonly { id: number; count: number }[]): Map<number, number> {
  return new Map(rows.map(({ id, count }) => [id, count]))
}

function differences(before: Map<number, number>, after: Map<number, number>): [id: number, change: number][] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => a - b)
  return ids.flatMap((id) => {
    const change = (after.get(id) ?? 0) - (before.get(id) ?? 0)
    return change === 0 ? [] : [[id, change] as [number, number]]
  })
}
