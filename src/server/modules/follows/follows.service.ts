import { FollowTarget, maxFollows } from '#shared/collections.ts'
import type { follows } from '#shared/contract/follows.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { assertCanFollow, countFollow, countFollowers, type TargetRef } from './follows.targets.ts'

/** Following twice changes nothing: a button may be pressed in two tabs. */
export async function follow(
  ctx: MemberCtx,
  target: Input<typeof follows.create>,
): Promise<Reply<typeof follows.create>> {
  assertNotPunished(ctx, Punishment.Disabled)
  return transaction(ctx, async (ctx) => {
    const { db, viewer } = ctx
    await assertCanFollow(ctx, target)
    await lockCounted(ctx, target)
    const added = await db
      .insertInto('follow')
      .values({ user_id: viewer.id, ...target, created_at: ctx.now() })
      .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'target_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) {
      await assertMayFollowMore(ctx)
      await countFollow(ctx, viewer.id, target, 1)
    }
    return { following: true, follower_count: await countFollowers(ctx, target) }
  })
}

export async function unfollow(ctx: MemberCtx, target: Input<typeof follows.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockCounted(ctx, target)
    const { numDeletedRows } = await ctx.db
      .deleteFrom('follow')
      .where('user_id', '=', ctx.viewer.id)
      .where('kind', '=', target.kind)
      .where('target_id', '=', target.target_id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0) await countFollow(ctx, ctx.viewer.id, target, -1)
  })
}

/** For a visitor, the number of followers alone. */
export async function getState(ctx: Ctx, target: Input<typeof follows.state>): Promise<Reply<typeof follows.state>> {
  const own = await ctx.db
    .selectFrom('follow')
    .select('id')
    .where('user_id', '=', ctx.viewer.id)
    .where('kind', '=', target.kind)
    .where('target_id', '=', target.target_id)
    .executeTakeFirst()
  return { following: own !== undefined, follower_count: await countFollowers(ctx, target) }
}

/** What has the counters. */
async function lockCounted(ctx: MemberCtx, { kind, target_id }: TargetRef): Promise<void> {
  if (kind === FollowTarget.Collection) await lockRows(ctx, 'collection', [target_id])
  await lockRows(ctx, 'user', [ctx.viewer.id, ...(kind === FollowTarget.Author ? [target_id] : [])])
}

async function assertMayFollowMore({ db, viewer }: MemberCtx): Promise<void> {
  const { count } = await db
    .selectFrom('follow')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', viewer.id)
    .executeTakeFirstOrThrow()
  if (count > maxFollows) throw errors.follows.tooMany(maxFollows)
}
