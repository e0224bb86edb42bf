import { administratorsId } from '#shared/permissions.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { getEngine } from '#server/db/engine.ts'
import { enqueue, type JobPayload } from '#server/jobs.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { findPermissionPaths } from '#server/modules/access/access.viewer.ts'
import { findMemberships } from '#server/modules/users/users.queries.ts'
import { eraseAccount } from './erase-account.ts'
import { clearAddresses, deleteArticles, deleteDocuments } from './erase-content.ts'
import { selectOpenOrders } from './owned.ts'
import { obstacleOf } from './request.ts'

const batch = 1000

/** Requests that are due, and deletions that were interrupted. */
export async function findDueDeletions(ctx: Ctx): Promise<void> {
  const due = await ctx.db
    .selectFrom('account_deletion')
    .select('user_id')
    .where('finished_at', 'is', null)
    .where('due_at', '<=', ctx.now())
    .orderBy('due_at')
    .limit(batch)
    .execute()
  for (const { user_id } of due) await enqueue(ctx, 'privacy.delete-account', { user: user_id }, { owner: user_id })
}

/**
 * In two parts. The first, one transaction, ends the account: after it there is no way back. The second deletes what belongs
 * to it in batches; killed at any point, it goes on where it stopped.
 */
export async function deleteAccount(
  ctx: Ctx,
  { user: userId }: JobPayload<'privacy.delete-account'>,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  if (!(await begin(ctx, userId))) return
  const { keeps_content } = await ctx.db
    .selectFrom('account_deletion')
    .select('keeps_content')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const options = { keepsPublic: keeps_content === 1, signal }
  await deleteDocuments(ctx, userId, options)
  await deleteArticles(ctx, userId, options)
  await clearAddresses(ctx, userId, signal)
  await ctx.db.updateTable('account_deletion').set({ finished_at: ctx.now() }).where('user_id', '=', userId).execute()
}

/** Whether the account is gone and there is something left to do. */
function begin(ctx: Ctx, userId: number): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    // Locked first, as by a login, which cancels the request.
    let query = ctx.db.selectFrom('user').selectAll().where('id', '=', userId)
    if (getEngine(ctx.db) === 'postgres') query = query.forUpdate()
    const user = await query.executeTakeFirst()
    const request = await ctx.db
      .selectFrom('account_deletion')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!user || !request || request.finished_at !== null || request.due_at > ctx.now()) return false
    if (request.started_at !== null) return true
    if (obstacleOf({ isRoot: user.is_root === 1, isStaff: await isStaff(ctx, userId) })) {
      // Became staff meanwhile.
      await ctx.db.deleteFrom('account_deletion').where('user_id', '=', userId).execute()
      return false
    }
    // Looked for again later.
    if (await selectOpenOrders(ctx.db, userId).select('order.id').executeTakeFirst()) return false
    await eraseAccount(ctx, user)
    await ctx.db.updateTable('account_deletion').set({ started_at: ctx.now() }).where('user_id', '=', userId).execute()
    return true
  })
}

/** As for a viewer. */
async function isStaff({ db }: Ctx, userId: number): Promise<boolean> {
  const memberships = (await findMemberships(db, [userId])).get(userId) ?? []
  if (memberships.some(({ group_id }) => group_id === administratorsId)) return true
  return (await findPermissionPaths(db, [userId])).size > 0
}

/** A name is free for others after a while: see users.names.ts. */
export async function purgeFormerNames(ctx: Ctx, afterMs: number): Promise<void> {
  await ctx.db
    .updateTable('user')
    .set({ former_username_key: '' })
    .where('deleted_at', '<', ctx.now() - afterMs)
    .where('former_username_key', '<>', '')
    .execute()
}
