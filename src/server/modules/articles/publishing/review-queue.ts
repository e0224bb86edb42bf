import { sql } from 'kysely'
import type { articles } from '#shared/contract/articles.ts'
import type { ReviewQueue } from '#shared/contract/review.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { listQueue } from '#server/db/list.ts'
import { findContributor } from '#server/modules/users/contributor.ts'
import { presentArticles } from '../articles.present.ts'
import { findArticle } from '../articles.queries.ts'

export function listPendingArticles(
  ctx: Ctx,
  { after, user_id }: Input<typeof articles.reviewQueue>,
): Promise<ReviewQueue> {
  const pending = selectPending(ctx, user_id).where('id', '>', after)
  return listQueue(pending)
}

/** The articles of one author that wait for review; 0 selects those of all authors. */
function selectPending({ db }: Ctx, userId: number) {
  const pending = db
    .selectFrom('article')
    .select('id')
    .where('deleted_at', 'is', null)
    // A literal: SQLite uses the partial index `article_waiting` for no parameter.
    .where('status', '=', sql.lit(ReviewStatus.Pending))
  return userId > 0 ? pending.where('user_id', '=', userId) : pending
}

/** Whatever its status: the desk tells the reviewer if another one has decided already. */
export async function getArticleForReview(
  ctx: Ctx,
  { id }: Input<typeof articles.reviewItem>,
): Promise<Reply<typeof articles.reviewItem>> {
  const row = await findArticle(ctx.db, { id })
  if (!row || row.deleted_at !== null) throw errors.articles.notFound()
  const rejections = ctx.db
    .selectFrom('article')
    .select(['title', 'reject_reason as reason', 'updated_at as at'])
    .where('user_id', '=', row.user_id)
    .where('status', '=', ReviewStatus.Rejected)
    .where('deleted_at', 'is', null)
  const [[article], contributor] = await Promise.all([
    presentArticles(ctx, [row]),
    findContributor(ctx, row.user_id, {
      approved: ({ article_count }) => article_count,
      rejections,
      pending: selectPending(ctx, row.user_id),
    }),
  ])
  if (!article) throw errors.articles.notFound()
  return { article: { ...article, content: row.content }, contributor }
}
