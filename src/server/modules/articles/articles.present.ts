import type { Article } from '#shared/contract/articles.ts'
import type { Ctx } from '#server/context.ts'
import { loadAuthors } from '#server/modules/users/authors.ts'
import { seesUnpublished, owns } from './articles.policy.ts'
import { findCategories, type ListedArticle } from './articles.queries.ts'

/** Rows as the viewer may see them; a constant number of queries however many there are. */
export async function presentArticles(ctx: Ctx, rows: readonly ListedArticle[]): Promise<Article[]> {
  if (rows.length === 0) return []
  const [categories, authorOf] = await Promise.all([
    findCategories(
      ctx.db,
      rows.map(({ id }) => id),
    ),
    loadAuthors(
      ctx,
      rows.map(({ user_id }) => user_id),
    ),
  ])
  const isStaff = seesUnpublished(ctx.viewer)
  return rows.map(({ deleted_user_id: _by, ...row }) => {
    const category = categories.get(row.id) ?? []
    const user = authorOf(row.user_id)
    return {
      ...row,
      content: '',
      reject_reason: isStaff || owns(ctx.viewer, row) ? row.reject_reason : '',
      author: user.username,
      user,
      category,
      category_id: category.map(({ id }) => id),
    }
  })
}
