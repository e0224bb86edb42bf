import { ActivityType, ContentType, ReviewStatus, reviewActs, reviewStatusLabels } from '#shared/enums.ts'
import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { describeInput } from '#server/audit-text.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'
import { recordActivity, withdrawActivity } from '#server/modules/users/activity.ts'
import { changeArticles } from '../articles.counts.ts'
import type { ArticleRow } from '../articles.queries.ts'

/** Articles that have the status and the reason already are left alone. Authors see the outcome in their activities. */
export async function checkArticles(ctx: MemberCtx, input: Input<typeof articles.review>): Promise<void> {
  const { article_id: ids, status, from } = input
  const reject_reason = status === ReviewStatus.Rejected ? input.reject_reason || input.rejeact_reason : ''
  ctx.audit?.({ act: `${reviewActs[status]}文章`, change: describeInput({ reason: reject_reason }) })
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'article', ids)
    const rows = await ctx.db
      .selectFrom('article')
      .select(['id', 'user_id', 'status', 'reject_reason', 'title', 'identifier'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    if (rows.length === 0) throw errors.articles.notFound()
    // Two reviewers may have the same article before them.
    const decided = rows.find((row) => from.length > 0 && !from.includes(row.status))
    if (decided) throw errors.review.decided(reviewStatusLabels[decided.status])
    const changed = rows.filter((row) => row.status !== status || row.reject_reason !== reject_reason)
    const changedIds = changed.map(({ id }) => id)
    if (changedIds.length === 0) return
    await changeArticles(ctx, changedIds, () =>
      ctx.db
        .updateTable('article')
        .set({ status, reject_reason, updated_at: ctx.now() })
        .where('id', 'in', changedIds)
        .execute(),
    )
    const decidedAnew = changed.filter((row) => row.status !== status)
    for (const row of decidedAnew) await notifyAuthor(ctx, row, status)
    if (decidedAnew.length > 0)
      await publish(ctx, 'content.reviewed', {
        key: ctx.id(),
        type: ContentType.Article,
        ids: decidedAnew.map(({ id }) => id),
        outcome: outcomeOf[status],
        reason: reject_reason,
        reviewer: ctx.viewer.id,
      })
    ctx.emit('article.changed', { ids: changedIds })
  })
}

export async function recommendArticles(ctx: MemberCtx, input: Input<typeof articles.recommend>): Promise<void> {
  const { article_id: ids, is_recommend } = input
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'article', ids)
    let query = ctx.db
      .updateTable('article')
      .set({ recommend_at: is_recommend ? ctx.now() : null, updated_at: ctx.now() })
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
    if (is_recommend) query = query.where('recommend_at', 'is', null)
    await query.execute()
    ctx.emit('article.changed', { ids })
  })
}

/** A decision that is taken back as soon as this was no news for the author. */
const undoMs = 60_000
const outcomeOf = {
  [ReviewStatus.Pending]: 'reopened',
  [ReviewStatus.Approved]: 'approved',
  [ReviewStatus.Rejected]: 'rejected',
} as const
const outcomes = [ActivityType.ArticleApproved, ActivityType.ArticleRejected]

type ReviewedArticle = Pick<ArticleRow, 'user_id' | 'title' | 'identifier'>

async function notifyAuthor(
  ctx: MemberCtx,
  { user_id, title, identifier }: ReviewedArticle,
  status: ReviewStatus,
): Promise<void> {
  const href = `/article/${identifier}`
  if (status === ReviewStatus.Pending)
    return withdrawActivity(ctx, { userId: user_id, types: outcomes, href, since: ctx.now() - undoMs })
  const type = status === ReviewStatus.Approved ? ActivityType.ArticleApproved : ActivityType.ArticleRejected
  return recordActivity(ctx, { userId: user_id, type, subject: title, href })
}
