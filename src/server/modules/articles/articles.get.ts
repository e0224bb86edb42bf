import type { Article, articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { ViewCounter } from '#server/modules/stats/view-counter.ts'
import { canSee, isPublic, wasPublic } from './articles.policy.ts'
import { presentArticles } from './articles.present.ts'
import { findArticle } from './articles.queries.ts'

/** For viewers who may see it; for all others it does not exist. Views by identifier, as readers come, are counted. */
export async function getArticle(
  ctx: Ctx,
  input: Input<typeof articles.get>,
  viewCounter: ViewCounter,
): Promise<Article> {
  const row = await findArticle(ctx.db, input)
  if (row && wasPublic(row)) throw errors.articles.gone()
  if (!row || !canSee(ctx.viewer, row)) throw errors.articles.notFound()
  const isCounted = input.id <= 0 && isPublic(row) && (await viewCounter.count(ctx, 'article', row.id))
  const [article] = await presentArticles(ctx, [row])
  if (!article) throw errors.articles.notFound()
  return { ...article, content: row.content, view_count: row.view_count + (isCounted ? 1 : 0) }
}
