import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { changeArticles } from '../articles.counts.ts'

/** Moves articles to the recycle bin. An author who also names articles of others deletes nothing. */
export async function deleteArticles(ctx: MemberCtx, { id }: Input<typeof articles.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    if (!ctx.viewer.can('ArticleAPI/DeleteArticle')) await assertOwnsAll(ctx, id)
    await recycleArticles(ctx, id, ctx.viewer.id)
  })
}

/** To be called in a transaction. */
export function recycleArticles(ctx: Ctx, ids: readonly number[], deletedBy: number): Promise<void> {
  return changeArticles(ctx, ids, async () => {
    const rows = await ctx.db
      .updateTable('article')
      .set({ deleted_at: ctx.now(), deleted_user_id: deletedBy })
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute()
    if (rows.length > 0) ctx.emit('article.changed', { ids: rows.map((row) => row.id) })
  })
}

/** Missing articles are refused like those of others, so that ids cannot be probed. */
async function assertOwnsAll({ db, viewer }: MemberCtx, ids: readonly number[]): Promise<void> {
  const own = await db
    .selectFrom('article')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .execute()
  if (own.length < new Set(ids).size) throw errors.articles.othersKept()
}
