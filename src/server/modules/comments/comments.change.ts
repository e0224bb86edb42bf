import { type Ctx, transaction } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import { appeared, countShown, type Standing, standingOf } from './comments.counts.ts'
import { holdRows } from './comments.locks.ts'
import { announceComments } from './comments.rewards.ts'
import { holdTargets, targetsOf } from './comments.targets.ts'

/** Changes comments, and puts right all that depends on whether they are shown. */
export function changeComments(ctx: Ctx, ids: readonly number[], change: (ctx: Ctx) => Promise<void>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await holdComments(ctx, ids)
    const before = await standingOf(ctx.db, ids)
    await change(ctx)
    await settleComments(ctx, before, await standingOf(ctx.db, ids))
  })
}

/** Call it in the transaction that has changed them. */
export async function settleComments(
  ctx: Ctx,
  before: readonly Standing[],
  after: readonly Standing[],
  { isNew = false } = {},
): Promise<void> {
  const comments = appeared(before, after)
  const targetOf = await targetsOf(ctx.db, comments)
  const owners = comments.map((comment) => targetOf(comment)?.user_id ?? 0)
  await holdRows(ctx, 'user', [...new Set([...before, ...after].map(({ user_id }) => user_id).concat(owners))])
  await countShown(ctx.db, before, after)
  await announceComments(ctx, { comments, targetOf, isNew })
}

/** What they belong to first, as everywhere; then themselves, because that may be gone for good. */
async function holdComments(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const names = await ctx.db
    .selectFrom('comment')
    .select(['type', 'document_id'])
    .distinct()
    .where(among(ctx.db, 'id', ids))
    .execute()
  await holdTargets(ctx, names)
  await holdRows(ctx, 'comment', ids)
}
