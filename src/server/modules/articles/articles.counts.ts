import type { Ctx } from '#server/context.ts'
import { engineOf } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'
import { countInCategory } from '../documents/documents.counts.ts'
import { beginCounting } from '#server/modules/catalog/categories.queries.ts'

/** How many of some articles everybody may see, in each category and of each author. */
interface Shown {
  categories: Map<number, number>
  authors: Map<number, number>
}

export const noneShown: Shown = { categories: new Map(), authors: new Map() }

/**
 * Changes articles in any way, and what counts them accordingly: categories and authors count what everybody may see. Call
 * it in a transaction; nobody else changes these articles until that ends.
 */
export async function counting<T>(ctx: Ctx, ids: readonly number[], change: () => Promise<T>): Promise<T> {
  await beginCounting(ctx.db)
  await holdArticles(ctx, ids)
  const before = await shownOf(ctx.db, ids)
  const result = await change()
  await countChange(ctx.db, before, await shownOf(ctx.db, ids))
  return result
}

export async function shownOf(db: Db, ids: readonly number[]): Promise<Shown> {
  if (ids.length === 0) return noneShown
  const shown = db
    .selectFrom('article')
    .where('article.id', 'in', ids)
    .where('article.status', '=', 1)
    .where('article.deleted_at', 'is', null)
  const categories = await shown
    .innerJoin('article_category', 'article_category.article_id', 'article.id')
    .select(['category_id as of', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('category_id')
    .execute()
  const authors = await shown
    .select(['user_id as of', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('user_id')
    .execute()
  return { categories: asMap(categories), authors: asMap(authors) }
}

export async function countChange(db: Db, before: Shown, after: Shown): Promise<void> {
  for (const [id, change] of differences(before.categories, after.categories)) await countInCategory(db, id, change)
  for (const [id, change] of differences(before.authors, after.authors))
    await db
      .updateTable('user')
      .set((eb) => ({ article_count: eb('article_count', '+', change) }))
      .where('id', '=', id)
      .execute()
}

/** In one order everywhere, so that two who change several at once cannot wait for each other. */
export async function holdArticles({ db }: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0 || engineOf(db) === 'sqlite') return
  await db.selectFrom('article').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

function asMap(rows: readonly { of: number; count: number }[]): Map<number, number> {
  return new Map(rows.map(({ of, count }) => [of, count]))
}

function differences(before: Map<number, number>, after: Map<number, number>): [id: number, change: number][] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => a - b)
  return ids.flatMap((id) => {
    const change = (after.get(id) ?? 0) - (before.get(id) ?? 0)
    return change === 0 ? [] : [[id, change] as [number, number]]
  })
}
