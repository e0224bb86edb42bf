import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { counting } from './articles.counts.ts'

/** Into the recycle bin. Who may delete only their own and names another's deletes nothing. */
export async function deleteArticles(ctx: MemberCtx, { id }: Input<typeof articles.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    if (!ctx.viewer.can('ArticleAPI/DeleteArticle')) await refuseOthers(ctx, id)
    await counting(ctx, id, async () => {
      const rows = await ctx.db
        .updateTable('article')
        .set({ deleted_at: ctx.now(), deleted_user_id: ctx.viewer.id })
        .where('id', 'in', id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .execute()
      if (rows.length > 0) ctx.emit('article.changed', { ids: rows.map((row) => row.id) })
    })
  })
}

/** What does not exist is refused like what is another's: nobody learns which ids there are. */
async function refuseOthers({ db, viewer }: MemberCtx, ids: readonly number[]): Promise<void> {
  const own = await db
    .selectFrom('article')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .execute()
  if (own.length < new Set(ids).size) throw errors.articles.othersKept()
}
