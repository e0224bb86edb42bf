import { ActivityType, ContentType, Punishment } from '#shared/enums.ts'
import type { favorites } from '#shared/contract/favorites.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { addToCounter } from '#server/modules/documents/documents.counts.ts'
import { lockBalances } from '#server/modules/credits/credits.ledger.ts'
import { rewardFavorite } from '#server/modules/credits/credits.rewards.ts'
import { countOnDay } from '#server/modules/stats/document-days.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { getTarget, type Target, type TargetRef } from '#server/modules/comments/comments.targets.ts'

/** A unique index refuses a second favorite; the counters change in the same transaction. */
export async function addFavorite(
  ctx: MemberCtx,
  ref: Input<typeof favorites.create>,
): Promise<Reply<typeof favorites.create>> {
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoFavorite)
  const target = await getTarget(ctx, ref)
  return transaction(ctx, async (ctx) => {
    const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
    const row = await ctx.db
      .insertInto('favorite')
      .values({ user_id: ctx.viewer.id, ...ref, ip: ctx.origin.ip, ...stamps })
      .onConflict((conflict) => conflict.columns(['user_id', 'document_id', 'type']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw errors.favorites.twice()
    // The update locks the target until the commit, so that a later purge also deletes this favorite.
    if (!(await countOnTarget(ctx, { ...ref, at: ctx.now() }, 1))) throw notFound(ref)
    await lockBalances(ctx, [ctx.viewer.id, target.user_id])
    await countOwn(ctx, 1)
    await notify(ctx, ref, target)
    return row
  })
}

/** The caller's own favorites; ids of others are ignored. */
export async function removeFavorites(ctx: MemberCtx, { id }: Input<typeof favorites.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const removed = await ctx.db
      .deleteFrom('favorite')
      .where('id', 'in', id)
      .where('user_id', '=', ctx.viewer.id)
      .returning(['type', 'document_id', 'created_at as at'])
      .execute()
    // In a fixed order to prevent deadlocks.
    for (const target of removed.toSorted((a, b) => a.type - b.type || a.document_id - b.document_id))
      await countOnTarget(ctx, target, -1)
    if (removed.length > 0) await countOwn(ctx, -removed.length)
  })
}

function notFound({ type }: TargetRef): Error {
  return type === ContentType.Article ? errors.articles.notFound() : errors.documents.notFound()
}

interface FavoriteRef extends TargetRef {
  /** When it was added. */
  at: number
}

/** False when the target has been purged. */
async function countOnTarget(
  { db }: MemberCtx,
  { type, document_id, at }: FavoriteRef,
  change: 1 | -1,
): Promise<boolean> {
  const favorite_count = addToCounter('favorite_count', change)
  const { numUpdatedRows } =
    type === ContentType.Article
      ? await db.updateTable('article').set({ favorite_count }).where('id', '=', document_id).executeTakeFirstOrThrow()
      : await db.updateTable('document').set({ favorite_count }).where('id', '=', document_id).executeTakeFirstOrThrow()
  if (type === ContentType.Document && numUpdatedRows > 0)
    await countOnDay(db, { documentId: document_id, counter: 'favorites', at, change })
  return numUpdatedRows > 0
}

async function countOwn({ db, viewer }: MemberCtx, change: number): Promise<void> {
  await db
    .updateTable('user')
    .set({ favorite_count: addToCounter('favorite_count', change) })
    .where('id', '=', viewer.id)
    .execute()
}

/**
 * Rewards the author of a document, and records activities of the member and the author. At most once a day for each member
 * and target: removing and adding a favorite again does not flood the author's activities.
 */
async function notify(ctx: MemberCtx, { type, document_id }: TargetRef, target: Target): Promise<void> {
  const { user_id: authorId, title: subject, href } = target
  const memberId = ctx.viewer.id
  const isOthers = authorId !== memberId
  const isRewarded = isOthers && type === ContentType.Document
  const amount = isRewarded
    ? await rewardFavorite(ctx, { authorId, documentId: document_id, favoritedBy: memberId })
    : 0
  if (!(await consumeQuota(ctx, { quota: 'favorite.told', subject: `${memberId}:${type}:${document_id}`, limit: 1 })))
    return
  await recordActivity(ctx, { userId: memberId, type: ActivityType.Favorite, subject, href })
  if (isOthers) await recordActivity(ctx, { userId: authorId, type: ActivityType.Favorited, subject, href, amount })
}
