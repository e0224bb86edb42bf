import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'
import { newlyVisible, updateCounters, type CountedComment, findCounted } from './comments.counts.ts'
import { notifyAuthors } from './comments.rewards.ts'
import { lockTargets, findTargets } from './comments.targets.ts'

/** Changes comments, then applies what follows from their visibility: counters, activities, rewards and notifications. */
export function changeComments(ctx: Ctx, ids: readonly number[], change: (ctx: Ctx) => Promise<void>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockComments(ctx, ids)
    const before = await findCounted(ctx.db, ids)
    await change(ctx)
    await applyVisibilityChanges(ctx, before, await findCounted(ctx.db, ids))
  })
}

/** Call it in the transaction that has changed the comments. */
export async function applyVisibilityChanges(
  ctx: Ctx,
  before: readonly CountedComment[],
  after: readonly CountedComment[],
  { isNew = false } = {},
): Promise<void> {
  const comments = newlyVisible(before, after)
  const targetOf = await findTargets(ctx.db, comments)
  const owners = comments.map((comment) => targetOf(comment)?.user_id ?? 0)
  await lockRows(ctx, 'user', [...new Set([...before, ...after].map(({ user_id }) => user_id).concat(owners))])
  await updateCounters(ctx.db, before, after)
  await notifyAuthors(ctx, { comments, targetOf, isNew })
  if (comments.length > 0) await publish(ctx, 'comments.published', { ids: comments.map(({ id }) => id) })
}

/** Documents and articles first, as everywhere; then the comments, whose target may have been purged. */
async function lockComments(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const targets = await ctx.db
    .selectFrom('comment')
    .select(['type', 'document_id'])
    .distinct()
    .where(inList(ctx.db, 'id', ids))
    .execute()
  await lockTargets(ctx, targets)
  await lockRows(ctx, 'comment', ids)
}
