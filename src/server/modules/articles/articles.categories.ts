import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'

/** So many at once as both databases take. */
const atOnce = 5000

/**
 * The category that was chosen and those above it. A path is given root first, so that its last step says all; the steps
 * above may have changed since. Call it in the transaction that writes the links.
 */
export function resolvePath(ctx: Ctx, path: readonly number[], kept: readonly number[] = []): Promise<number[]> {
  return resolveCategories(ctx, path.slice(-1), 1, kept)
}

/** A site without categories takes articles all the same. */
export async function refuseUnsorted({ db }: Ctx): Promise<void> {
  const offered = await db
    .selectFrom('category')
    .select('id')
    .where('type', '=', 1)
    .where('enable', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (offered) throw errors.articles.categoryNeeded()
}

/** Out of all their categories and into others. Counts are the caller's. */
export async function putInto(db: Db, articleIds: readonly number[], categoryIds: readonly number[]): Promise<void> {
  if (articleIds.length === 0) return
  await db.deleteFrom('article_category').where('article_id', 'in', articleIds).execute()
  const rows = articleIds.flatMap((article_id) => categoryIds.map((category_id) => ({ article_id, category_id })))
  for (let start = 0; start < rows.length; start += atOnce)
    await db
      .insertInto('article_category')
      .values(rows.slice(start, start + atOnce))
      .execute()
}
