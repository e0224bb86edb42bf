import type { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { administratorsId, type PermissionPath } from '#shared/permissions.ts'
import type { Ctx, Viewer } from '#server/context.ts'

/** Throws with the reason and the end of an active punishment of one of these types. */
export function assertNotPunished({ viewer }: { viewer: Viewer }, ...types: Punishment[]): void {
  const message = viewer.punished(...types)
  if (message) throw errors.punishments.active(message)
}

/** Whether a viewer holds all of these permissions (as on the wire), and so may grant or revoke them. */
export function holdsAll(viewer: Viewer, paths: Iterable<string>): boolean {
  return [...paths].every((path) => viewer.can(toPermission(path)))
}

/** Call it for every change of groups: the administrators' group is changed only by its own members. */
export function assertCanChangeGroups({ viewer }: Pick<Ctx, 'viewer'>, groupIds: readonly number[]): void {
  if (groupIds.includes(administratorsId) && !viewer.isAdministrator) throw errors.groups.administratorsOnly()
}

/** Call it for every change of other users: administrators are changed only by administrators. */
export async function assertCanChangeUsers(
  { db, viewer }: Pick<Ctx, 'db' | 'viewer'>,
  userIds: readonly number[],
): Promise<void> {
  if (viewer.isAdministrator || userIds.length === 0) return
  const administrator = await db
    .selectFrom('user_group')
    .select('user_id')
    .where('group_id', '=', administratorsId)
    .where('user_id', 'in', userIds)
    .executeTakeFirst()
  if (administrator) throw errors.groups.administratorsOnly()
}

/** The catalogue's name for a wire path; only administrators hold paths that are not in the catalogue. */
function toPermission(path: string): PermissionPath {
  return path.replace(/^\/api(\.|\/)v1(\.|\/)/, '') as PermissionPath
}
