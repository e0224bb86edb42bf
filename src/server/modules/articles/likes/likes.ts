import { Punishment } from '#shared/enums.ts'
import type { articleLikes } from '#shared/contract/article-likes.ts'
import type { Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { addToCounter } from '#server/modules/documents/documents.counts.ts'
import { isPublic } from '../articles.policy.ts'

type LikeReply = Reply<typeof articleLikes.get>

export async function getLike(ctx: MemberCtx, { id }: { id: number }): Promise<LikeReply> {
  const article = await getPublic(ctx, id)
  return { liked: await isLiked(ctx, id), like_count: article.like_count }
}

/** A second like changes nothing. The counter changes in the same transaction. */
export async function addLike(ctx: MemberCtx, { id }: { id: number }): Promise<LikeReply> {
  assertNotPunished(ctx, Punishment.Disabled)
  return transaction(ctx, async (ctx) => {
    // A purge that comes later deletes this like too.
    await lockRows(ctx, 'article', [id])
    const article = await getPublic(ctx, id)
    const row = await ctx.db
      .insertInto('article_like')
      .values({ user_id: ctx.viewer.id, article_id: id, created_at: ctx.now() })
      .onConflict((conflict) => conflict.columns(['user_id', 'article_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) await count(ctx, id, 1)
    return { liked: true, like_count: article.like_count + (row ? 1 : 0) }
  })
}

export async function removeLike(ctx: MemberCtx, { id }: { id: number }): Promise<LikeReply> {
  return transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'article', [id])
    const article = await getPublic(ctx, id)
    const rows = await ctx.db
      .deleteFrom('article_like')
      .where('user_id', '=', ctx.viewer.id)
      .where('article_id', '=', id)
      .returning('id')
      .execute()
    if (rows.length > 0) await count(ctx, id, -1)
    return { liked: false, like_count: Math.max(0, article.like_count - rows.length) }
  })
}

export async function deleteLikesOfUsers(ctx: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .deleteFrom('article_like')
      .where(inList(ctx.db, 'user_id', ids))
      .returning('article_id')
      .execute()
    const byArticle = Map.groupBy(rows, ({ article_id }) => article_id)
    // In id order to prevent deadlocks.
    for (const [id, { length }] of [...byArticle].toSorted(([a], [b]) => a - b)) await count(ctx, id, -length)
  })
}

async function getPublic({ db }: Ctx, id: number): Promise<{ like_count: number }> {
  const row = await db
    .selectFrom('article')
    .select(['status', 'deleted_at', 'like_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || !isPublic(row)) throw errors.articles.notFound()
  return row
}

async function isLiked({ db, viewer }: MemberCtx, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('article_like')
    .select('id')
    .where('user_id', '=', viewer.id)
    .where('article_id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

async function count({ db }: Ctx, id: number, change: number): Promise<void> {
  await db
    .updateTable('article')
    .set({ like_count: addToCounter('like_count', change) })
    .where('id', '=', id)
    .execute()
}
