import type { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { administratorsId, type PermissionPath } from '#shared/permissions.ts'
import type { Ctx, Viewer } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'

/** Throws with the reason and the end of an active punishment of one of these types. */
export function assertNotPunished({ viewer }: { viewer: Viewer }, ...types: Punishment[]): void {
  const message = viewer.punished(...types)
  if (message) throw errors.punishments.active(message)
}

/** Whether a viewer may pay without paying, while the owner tries payments out. */
export function mayTryPaying({ viewer, settings: { pay } }: Pick<Ctx, 'viewer' | 'settings'>): boolean {
  return pay.test_mode && viewer.id > 0 && (viewer.isStaff || pay.trial_users.includes(String(viewer.id)))
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

/** Call it for every act of staff that gives a member credits, cards or money, with those who would have them by it. */
export async function assertNoOwnGain(ctx: Pick<Ctx, 'db' | 'viewer'>, gainers: readonly number[]): Promise<void> {
  if (await isOwnGain(ctx, ctx.viewer.id, gainers)) throw errors.access.ownGain()
}

/**
 * Whether a gainer is the giver, or a colleague, who shares a group of staff with the giver. The owner of the site is
 * free: whatever there is belongs to the owner.
 */
export async function isOwnGain({ db }: Pick<Ctx, 'db'>, giver: number, gainers: readonly number[]): Promise<boolean> {
  const { is_root } = (await db.selectFrom('user').select('is_root').where('id', '=', giver).executeTakeFirst()) ?? {}
  if (is_root === 1) return false
  if (gainers.includes(giver)) return true
  const colleague = await db
    .selectFrom('user_group')
    .innerJoin('user', 'user.id', 'user_group.user_id')
    .select('user.id')
    .where(inList(db, 'user_group.group_id', await findStaffGroups(db, giver)))
    .where(inList(db, 'user.id', gainers))
    .where('user.is_root', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return colleague !== undefined
}

/** The member's groups that hold any permission. */
export async function findStaffGroups(db: Ctx['db'], userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('user_group')
    .select('group_id')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('group_id', '=', administratorsId),
        eb('group_id', 'in', eb.selectFrom('group_permission').select('group_id')),
      ]),
    )
    .execute()
  return rows.map(({ group_id }) => group_id)
}

/** The catalogue's name for a wire path; only administrators hold paths that are not in the catalogue. */
function toPermission(path: string): PermissionPath {
  return path.replace(/^\/api(\.|\/)v1(\.|\/)/, '') as PermissionPath
}
