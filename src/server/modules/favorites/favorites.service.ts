import { sql } from 'kysely'
import type { favorites } from '#shared/contract/social.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { takeDaily } from '#server/modules/access/quotas.ts'
import { refusePunished } from '#server/modules/access/access.policy.ts'
import { holdBalances } from '#server/modules/credits/credits.ledger.ts'
import { rewardFavorite } from '#server/modules/credits/credits.rewards.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { getTarget, type Target, type TargetName } from '#server/modules/comments/comments.targets.ts'

/** The row that can be there only once decides; what counts it changes with it or not at all. */
export async function addFavorite(
  ctx: MemberCtx,
  name: Input<typeof favorites.create>,
): Promise<Reply<typeof favorites.create>> {
  refusePunished(ctx, 1, 5)
  const target = await getTarget(ctx, name)
  return transaction(ctx, async (ctx) => {
    const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
    const row = await ctx.db
      .insertInto('favorite')
      .values({ user_id: ctx.viewer.id, ...name, ip: ctx.origin.ip, ...stamps })
      .onConflict((conflict) => conflict.columns(['user_id', 'document_id', 'type']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw errors.favorites.twice()
    // Counted, it is held until the end: if somebody does away with it meanwhile, this favourite goes with it.
    if (!(await countOf(ctx, name, 1))) throw gone(name)
    await holdBalances(ctx, [ctx.viewer.id, target.user_id])
    await countOwn(ctx, 1)
    await tell(ctx, name, target)
    return row
  })
}

/** Of one's own; others' that are named among them stay as they are. */
export async function removeFavorites(ctx: MemberCtx, { id }: Input<typeof favorites.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const removed = await ctx.db
      .deleteFrom('favorite')
      .where('id', 'in', id)
      .where('user_id', '=', ctx.viewer.id)
      .returning(['type', 'document_id'])
      .execute()
    // In one order everywhere, so that two who count at once cannot wait for each other.
    for (const target of removed.toSorted((a, b) => a.type - b.type || a.document_id - b.document_id))
      await countOf(ctx, target, -1)
    if (removed.length > 0) await countOwn(ctx, -removed.length)
  })
}

function gone({ type }: TargetName): Error {
  return type === 1 ? errors.articles.notFound() : errors.documents.notFound()
}

/** False when there is nothing to count on any more. */
async function countOf({ db }: MemberCtx, { type, document_id }: TargetName, change: 1 | -1): Promise<boolean> {
  const favorite_count = changed(change)
  const { numUpdatedRows } =
    type === 1
      ? await db.updateTable('article').set({ favorite_count }).where('id', '=', document_id).executeTakeFirstOrThrow()
      : await db.updateTable('document').set({ favorite_count }).where('id', '=', document_id).executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

async function countOwn({ db, viewer }: MemberCtx, change: number): Promise<void> {
  await db
    .updateTable('user')
    .set({ favorite_count: changed(change) })
    .where('id', '=', viewer.id)
    .execute()
}

/** Never below 0, whatever was counted before. */
function changed(change: number) {
  const column = sql.ref<number>('favorite_count')
  return sql<number>`case when ${column} + ${change} < 0 then 0 else ${column} + ${change} end`
}

/**
 * The author of a document gets what it brings, that of an article nothing, and both find it in their lists; taken back
 * and given again, it is told once a day, so that nobody fills another's list by clicking.
 */
async function tell(ctx: MemberCtx, { type, document_id }: TargetName, target: Target): Promise<void> {
  const { user_id: authorId, title: subject, href } = target
  const own = ctx.viewer.id
  const isOthers = authorId !== own
  const isPaid = isOthers && type === 0
  const amount = isPaid ? await rewardFavorite(ctx, { authorId, documentId: document_id, by: own }) : 0
  if (!(await takeDaily(ctx, { kind: 'favorite.told', who: `${own}:${type}:${document_id}`, limit: 1 }))) return
  await recordDynamic(ctx, { userId: own, type: 2, subject, href })
  if (isOthers) await recordDynamic(ctx, { userId: authorId, type: 17, subject, href, amount })
}
