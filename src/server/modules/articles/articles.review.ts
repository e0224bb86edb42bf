import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { counting, holdArticles } from './articles.counts.ts'
import type { ArticleRow } from './articles.queries.ts'

/** Those that are there already, for the same reason, are left alone. Authors are told what became of theirs. */
export async function checkArticles(ctx: MemberCtx, input: Input<typeof articles.check>): Promise<void> {
  const { article_id: ids, status } = input
  const reject_reason = status === 2 ? input.reject_reason || input.rejeact_reason : ''
  await transaction(ctx, async (ctx) => {
    await holdArticles(ctx, ids)
    const rows = await ctx.db
      .selectFrom('article')
      .select(['id', 'user_id', 'status', 'reject_reason', 'title', 'identifier'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    if (rows.length === 0) throw errors.articles.notFound()
    const moving = rows.filter((row) => row.status !== status || row.reject_reason !== reject_reason)
    const moved = moving.map(({ id }) => id)
    if (moved.length === 0) return
    await counting(ctx, moved, () =>
      ctx.db
        .updateTable('article')
        .set({ status, reject_reason, updated_at: ctx.now() })
        .where('id', 'in', moved)
        .execute(),
    )
    for (const row of moving) if (row.status !== status) await tellAuthor(ctx, row, status)
    ctx.emit('article.changed', { ids: moved })
  })
}

export async function recommendArticles(ctx: MemberCtx, input: Input<typeof articles.recommend>): Promise<void> {
  const { article_id: ids, is_recommend } = input
  await transaction(ctx, async (ctx) => {
    await holdArticles(ctx, ids)
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

type Judged = Pick<ArticleRow, 'user_id' | 'title' | 'identifier'>

async function tellAuthor(ctx: MemberCtx, { user_id, title, identifier }: Judged, status: number): Promise<void> {
  if (status === 0) return
  const type = status === 1 ? 19 : 20
  await recordDynamic(ctx, { userId: user_id, type, subject: title, href: `/article/${identifier}` })
}
