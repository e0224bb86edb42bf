import { administratorsId } from '#shared/permissions.ts'
import type { Db } from '#server/db/open.ts'

export function findGroup(db: Db, id: number) {
  return db.selectFrom('group').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findDefaultGroup(db: Db) {
  return db.selectFrom('group').selectAll().where('is_default', '=', 1).orderBy('id').executeTakeFirst()
}

/** The administrators hold every permission, without rows of their own. */
export async function findPermissionIds(db: Db, groupId: number): Promise<number[]> {
  if (groupId === administratorsId) {
    const all = await db.selectFrom('permission').select('id').orderBy('id').execute()
    return all.map(({ id }) => id)
  }
  const rows = await db
    .selectFrom('group_permission')
    .select('permission_id')
    .where('group_id', '=', groupId)
    .orderBy('permission_id')
    .execute()
  return rows.map(({ permission_id }) => permission_id)
}

/** The permission paths (as on the wire) that any of the groups have been given. */
export async function findGroupPermissionPaths(db: Db, groupIds: readonly number[]): Promise<string[]> {
  if (groupIds.length === 0) return []
  const rows = await db
    .selectFrom('permission')
    .innerJoin('group_permission', 'group_permission.permission_id', 'permission.id')
    .select('permission.path')
    .distinct()
    .where('group_permission.group_id', 'in', groupIds)
    .execute()
  return rows.map(({ path }) => path)
}

export async function countMembers(db: Db, groupIds: readonly number[]): Promise<Map<number, number>> {
  if (groupIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_group')
    .select(['group_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('group_id', 'in', groupIds)
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ group_id, count }) => [group_id, count]))
}
