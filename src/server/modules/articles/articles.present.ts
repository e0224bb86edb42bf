import type { Article } from '#shared/contract/articles.ts'
import type { Ctx } from '#server/context.ts'
import { authorsOf } from '#server/modules/users/authors.ts'
import { judges, owns } from './articles.policy.ts'
import { categoriesOf, type ListedArticle } from './articles.queries.ts'

/** Rows as the viewer may see them, with what belongs to them; the same few queries however many there are. */
export async function presentArticles(ctx: Ctx, rows: readonly ListedArticle[]): Promise<Article[]> {
  if (rows.length === 0) return []
  const [categories, authorOf] = await Promise.all([
    categoriesOf(
      ctx.db,
      rows.map(({ id }) => id),
    ),
    authorsOf(
      ctx.db,
      rows.map(({ user_id }) => user_id),
    ),
  ])
  const staff = judges(ctx.viewer)
  return rows.map(({ deleted_user_id: _by, ...row }) => {
    const category = categories.get(row.id) ?? []
    const user = authorOf(row.user_id)
    return {
      ...row,
      content: '',
      reject_reason: staff || owns(ctx.viewer, row) ? row.reject_reason : '',
      author: user.username,
      user,
      category,
      category_id: category.map(({ id }) => id),
    }
  })
}
