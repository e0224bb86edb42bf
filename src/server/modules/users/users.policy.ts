import { errors } from '#shared/errors.ts'
import { rootId } from '#shared/permissions.ts'
import type { MemberCtx } from '#server/context.ts'
import { withinReach } from '../access/access.policy.ts'
import { permissionsOf } from '../access/access.viewer.ts'
import { pathsOfGroups } from '../access/groups.queries.ts'

/** Nobody manages user 1 but user 1, and nobody manages somebody who may do more than they. */
export async function refuseUnmanageable(ctx: MemberCtx, userId: number): Promise<void> {
  if (ctx.viewer.isRoot) return
  if (userId === rootId) throw errors.users.rootKept()
  if (!withinReach(ctx.viewer, await permissionsOf(ctx.db, [userId]))) throw errors.groups.beyondOwn()
}

/** Putting somebody into a group gives them its permissions: only one's own can be given. */
export async function refuseUngivable(ctx: MemberCtx, groupIds: readonly number[]): Promise<void> {
  const known = await ctx.db.selectFrom('group').select('id').where('id', 'in', groupIds).execute()
  if (known.length !== new Set(groupIds).size) throw errors.users.groupUnknown()
  if (!withinReach(ctx.viewer, await pathsOfGroups(ctx.db, groupIds))) throw errors.groups.beyondOwn()
}
