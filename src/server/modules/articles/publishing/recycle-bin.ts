import { ContentType } from '#shared/enums.ts'
import type { articleRecycle } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import { processInBatches } from '#server/jobs/batches.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { changeArticles } from '../articles.counts.ts'
import { retireFiles } from '../articles.pictures.ts'

export async function restoreArticles(ctx: MemberCtx, { id }: Input<typeof articleRecycle.restore>): Promise<void> {
  await transaction(ctx, (ctx) =>
    changeArticles(ctx, id, async () => {
      const rows = await ctx.db
        .updateTable('article')
        .set({ deleted_at: null, deleted_user_id: 0, updated_at: ctx.now() })
        .where('id', 'in', id)
        .where('deleted_at', 'is not', null)
        .returning('id')
        .execute()
      if (rows.length > 0) ctx.emit('article.changed', { ids: rows.map((row) => row.id) })
    }),
  )
}

/** Deletes articles in the recycle bin for good; counters do not include them. */
export async function purgeArticles(ctx: Ctx, { id }: Input<typeof articleRecycle.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'article', id)
    const rows = await ctx.db
      .deleteFrom('article')
      .where('id', 'in', id)
      .where('deleted_at', 'is not', null)
      .returning('id')
      .execute()
    const ids = rows.map((row) => row.id)
    if (ids.length === 0) return
    await ctx.db.deleteFrom('article_category').where('article_id', 'in', ids).execute()
    await ctx.db.deleteFrom('article_relate').where('article_id', 'in', ids).execute()
    await ctx.db.deleteFrom('article_draft').where('article_id', 'in', ids).execute()
    await ctx.db.deleteFrom('article_version').where('article_id', 'in', ids).execute()
    await ctx.db.deleteFrom('article_like').where('article_id', 'in', ids).execute()
    await retireFiles(ctx, ids)
    await publish(ctx, 'content.purged', { type: ContentType.Article, ids })
    ctx.emit('article.changed', { ids })
  })
}

export async function emptyRecycled(ctx: MemberCtx): Promise<void> {
  const rows = await ctx.db
    .selectFrom('article')
    .select('id')
    .where('deleted_at', 'is not', null)
    .orderBy('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await processInBatches(ctx, 'articles.purge', ids, purgeArticles)
}
