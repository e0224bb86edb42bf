import { errors } from '#shared/errors.ts'
import { administratorsId, rootId } from '#shared/permissions.ts'
import type { MemberCtx } from '#server/context.ts'
import { assertCanChangeGroups, assertCanChangeUsers, holdsAll } from '../access/access.policy.ts'
import { findPermissionPaths } from '../access/access.viewer.ts'
import { findGroupPermissionPaths } from '../access/groups.queries.ts'

/** Only root manages root, and no viewer manages a user with permissions that the viewer does not hold. */
export async function assertCanManage(ctx: MemberCtx, userId: number): Promise<void> {
  if (ctx.viewer.isRoot) return
  if (userId === rootId) throw errors.users.rootKept()
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

/** Root stays an administrator, whichever administrator asks. */
export function assertRootStays(userId: number, groupIds: readonly number[]): void {
  if (userId === rootId && !groupIds.includes(administratorsId)) throw errors.users.rootGroupKept()
}
