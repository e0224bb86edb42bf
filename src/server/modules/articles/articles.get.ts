import type { Article, articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { countView } from '#server/modules/stats/view-counter.ts'
import { canSee, isPublic, wasPublic } from './articles.policy.ts'
import { presentArticles } from './articles.present.ts'
import { findArticle } from './articles.queries.ts'

/** For who may see it; for everybody else it does not exist. Readers come by its identifier, and are counted. */
export async function getArticle(ctx: Ctx, input: Input<typeof articles.get>): Promise<Article> {
  const row = await findArticle(ctx.db, input)
  if (row && wasPublic(row)) throw errors.articles.gone()
  if (!row || !canSee(ctx.viewer, row)) throw errors.articles.notFound()
  const counted = input.id <= 0 && isPublic(row) && (await countView(ctx, row.id, 'article'))
  const [shown] = await presentArticles(ctx, [row])
  if (!shown) throw errors.articles.notFound()
  return { ...shown, content: row.content, view_count: row.view_count + (counted ? 1 : 0) }
}
