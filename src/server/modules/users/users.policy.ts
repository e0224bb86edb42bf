import { errors } from '#shared/errors.ts'
import { administratorsId } from '#shared/permissions.ts'
import type { MemberCtx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { countAttempt, resetAttempts } from '#server/modules/auth/attempts.ts'
import { passwordMatches } from '#server/modules/auth/passwords.ts'
import { assertCanChangeGroups, assertCanChangeUsers, holdsAll } from '../access/access.policy.ts'
import { findRootId } from '../access/access.queries.ts'
import { findPermissionPaths } from '../access/access.viewer.ts'
import { findGroupPermissionPaths } from '../access/groups.queries.ts'
import { findUser } from './users.queries.ts'

/** Only root manages root, and no viewer manages a user with permissions that the viewer does not hold. */
export async function assertCanManage(ctx: MemberCtx, userId: number): Promise<void> {
  if (ctx.viewer.isRoot) return
  if (userId === (await findRootId(ctx.db))) throw errors.users.rootKept()
  await assertCanChangeUsers(ctx, [userId])
  if (!holdsAll(ctx.viewer, await findPermissionPaths(ctx.db, [userId]))) throw errors.groups.beyondOwn()
}

/** Membership of a group grants its permissions: a viewer can only grant permissions that the viewer holds. */
export async function assertCanGrant(ctx: MemberCtx, groupIds: readonly number[]): Promise<void> {
  const groups = await ctx.db.selectFrom('group').select('id').where('id', 'in', groupIds).execute()
  if (groups.length !== new Set(groupIds).size) throw errors.users.groupUnknown()
  assertCanChangeGroups(ctx, groupIds)
  if (!holdsAll(ctx.viewer, await findGroupPermissionPaths(ctx.db, groupIds))) throw errors.groups.beyondOwn()
}

/** Root stays an administrator, whichever administrator asks, so that their group is never empty. */
export async function assertRootStays(db: Db, userId: number, groupIds: readonly number[]): Promise<void> {
  if (groupIds.includes(administratorsId)) return
  if (userId === (await findRootId(db))) throw errors.users.rootGroupKept()
}

/** For what must not be done with a stolen session. Guesses are throttled. */
export async function assertOwnPassword(audited: MemberCtx, password: string): Promise<void> {
  // To count an attempt is no change by staff: a wrong password leaves no entry in the audit log.
  const { beforeCommit: _audit, ...ctx } = audited
  const viewerRow = await findUser(ctx.db, ctx.viewer.id)
  const key = `password:${ctx.viewer.id}`
  await countAttempt(ctx, key, { free: 5, maxDelayMs: 15 * 60_000 })
  if (!(await passwordMatches(viewerRow?.password, password))) throw errors.users.ownPasswordWrong()
  await resetAttempts(ctx, [key])
}
