import { ContentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'

/** Both databases take this many parameters in one statement. */
const parameterBatch = 5000

/**
 * The chosen category and its ancestors. Only the last id of a path counts: the ancestors may have changed since the client
 * read them. Call it in the transaction that writes the links.
 */
export function resolveCategoryPath(
  ctx: Ctx,
  path: readonly number[],
  currentIds: readonly number[] = [],
): Promise<number[]> {
  return resolveCategories(ctx, path.slice(-1), ContentType.Article, currentIds)
}

/** An article may do without a category only on a site that has none. */
export async function assertCategoryOptional({ db }: Ctx): Promise<void> {
  const category = await db
    .selectFrom('category')
    .select('id')
    .where('type', '=', ContentType.Article)
    .where('enable', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (category) throw errors.articles.categoryNeeded()
}

/** Counters are the caller's concern. */
export async function replaceCategories(
  db: Db,
  articleIds: readonly number[],
  categoryIds: readonly number[],
): Promise<void> {
  if (articleIds.length === 0) return
  await db.deleteFrom('article_category').where('article_id', 'in', articleIds).execute()
  const rows = articleIds.flatMap((article_id) => categoryIds.map((category_id) => ({ article_id, category_id })))
  for (let start = 0; start < rows.length; start += parameterBatch)
    await db
      .insertInto('article_category')
      .values(rows.slice(start, start + parameterBatch))
      .execute()
}
