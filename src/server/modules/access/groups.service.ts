import type { Insertable, Selectable } from 'kysely'
import { groups } from '#shared/contract/access.ts'
import type { Group } from '#shared/contract/group.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { administratorsId } from '#shared/permissions.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { describeDiff } from '#server/audit-text.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Tables } from '#server/db/tables.ts'
import { assertCanChangeGroups, holdsAll } from './access.policy.ts'
import { presentGroups } from './groups.present.ts'
import { countMembers, findGroup, findPermissionIds } from './groups.queries.ts'
import { insertReadyMadeGroups } from './ready-made-groups.ts'

type GroupForm = Input<typeof groups.create>

export function createGroup(ctx: MemberCtx, form: GroupForm): Promise<Reply<typeof groups.create>> {
  return transaction(ctx, async (ctx) => {
    const row = await insertGroup(ctx, toRow(form))
    if (form.is_default) await makeOnlyDefault(ctx, row.id)
    if (form.is_default) ctx.emit('site.changed', {})
    return presentGroup(ctx, row)
  })
}

/** A group with the flags and the permissions of another. It grants them, so the viewer has to hold them. */
export function copyGroup(
  ctx: MemberCtx,
  { id: sourceId, title }: Input<typeof groups.copy>,
): Promise<Reply<typeof groups.copy>> {
  return transaction(ctx, async (ctx) => {
    const source = await findGroup(ctx.db, sourceId)
    if (!source) throw errors.groups.notFound()
    const permissionIds = await findPermissionIds(ctx.db, sourceId)
    await assertCanGrantAll(ctx, permissionIds)
    const { id: _id, ...columns } = source
    const row = await insertGroup(ctx, { ...columns, title, is_default: 0 })
    await grant(ctx, row.id, permissionIds)
    ctx.audit?.({ ids: [row.id], change: `${source.title} → ${title}` })
    return presentGroup(ctx, row)
  })
}

async function assertCanGrantAll(ctx: MemberCtx, permissionIds: readonly number[]): Promise<void> {
  if (permissionIds.length === 0) return
  if (!ctx.viewer.can('GroupAPI/UpdateGroupPermission')) throw errors.access.denied()
  const rows = await ctx.db.selectFrom('permission').select('path').where('id', 'in', permissionIds).execute()
  const paths = rows.map(({ path }) => path)
  if (!holdsAll(ctx.viewer, paths)) throw errors.groups.beyondOwn()
}

/** Adds the ready-made groups that are missing. */
export function addReadyMadeGroups(ctx: MemberCtx): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const titles = await insertReadyMadeGroups(ctx)
    ctx.audit?.({ change: titles.join('、') })
  })
}

async function insertGroup(ctx: MemberCtx, row: Omit<Insertable<Tables['group']>, 'created_at' | 'updated_at'>) {
  await assertTitleFree(ctx, row.title)
  const now = ctx.now()
  return ctx.db
    .insertInto('group')
    .values({ ...row, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(explain)
}

async function presentGroup(ctx: MemberCtx, row: Selectable<Tables['group']>): Promise<Group> {
  const [group] = await presentGroups(ctx, [row])
  if (!group) throw errors.groups.notFound()
  return group
}

export function updateGroup(ctx: MemberCtx, { id, ...form }: Input<typeof groups.update>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockGroups(ctx, [id])
    const group = await findGroup(ctx.db, id)
    if (!group) throw errors.groups.notFound()
    if (group.is_default && !form.is_default) throw errors.groups.defaultNeeded()
    assertCanChangeGroups(ctx, [id])
    if (form.is_default) await assertHoldsNothing(ctx, id)
    await assertTitleFree(ctx, form.title, id)
    await ctx.db
      .updateTable('group')
      .set({ ...toRow(form), updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
      .catch(explain)
    if (form.is_default) await makeOnlyDefault(ctx, id)
    // Pages invite visitors to what the default group may do.
    if (form.is_default) ctx.emit('site.changed', {})
    ctx.audit?.({ change: describeDiff(group, toRow(form), groups.update.input) })
  })
}

export function patchGroup(ctx: MemberCtx, { id, is_display }: Input<typeof groups.patch>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    assertCanChangeGroups(ctx, [id])
    const { numUpdatedRows } = await ctx.db
      .updateTable('group')
      .set({ is_display: bit(is_display), updated_at: ctx.now() })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw errors.groups.notFound()
  })
}

export function deleteGroups(ctx: MemberCtx, ids: readonly number[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockGroups(ctx, ids)
    assertCanChangeGroups(ctx, ids)
    if (ids.includes(administratorsId)) throw errors.groups.administratorsKept()
    const rows = await ctx.db.selectFrom('group').select(['id', 'is_default']).where('id', 'in', ids).execute()
    if (rows.some(({ is_default }) => is_default)) throw errors.groups.defaultKept()
    if ((await countMembers(ctx.db, ids)).size > 0) throw errors.groups.hasUsers()
    await ctx.db.deleteFrom('group_permission').where('group_id', 'in', ids).execute()
    // What was shown to these groups alone is left to its owner.
    await ctx.db.deleteFrom('document_group').where('group_id', 'in', ids).execute()
    await ctx.db.deleteFrom('group').where('id', 'in', ids).execute()
  })
}

/** Replaces a group's permissions. A viewer can only grant or revoke permissions that the viewer holds. */
export function setGroupPermissions(ctx: MemberCtx, groupId: number, permissionIds: readonly number[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (!(await lockGroups(ctx, [groupId]))) throw errors.groups.notFound()
    assertCanChangeGroups(ctx, [groupId])
    if (groupId === administratorsId) throw errors.groups.administratorsHoldAll()
    const before = await findPermissionIds(ctx.db, groupId)
    const requested = new Set(permissionIds.filter((id) => id > 0))
    const permissions = await ctx.db.selectFrom('permission').select(['id', 'path']).execute()
    const granted = permissions.filter(({ id }) => requested.has(id))
    const changed = permissions.filter(({ id }) => requested.has(id) !== before.includes(id))
    if (
      !holdsAll(
        ctx.viewer,
        changed.map(({ path }) => path),
      )
    ) {
      throw errors.groups.beyondOwn()
    }
    if (granted.length > 0 && (await findGroup(ctx.db, groupId))?.is_default) throw errors.groups.defaultHoldsNothing()
    await ctx.db.deleteFrom('group_permission').where('group_id', '=', groupId).execute()
    await grant(
      ctx,
      groupId,
      granted.map(({ id }) => id),
    )
  })
}

async function grant(ctx: MemberCtx, groupId: number, permissionIds: readonly number[]): Promise<void> {
  if (permissionIds.length === 0) return
  const rows = permissionIds.map((id) => ({ group_id: groupId, permission_id: id }))
  await ctx.db.insertInto('group_permission').values(rows).execute()
}

/** Locks the rows by an update: concurrent changes of the same groups wait instead of being merged. */
async function lockGroups(ctx: MemberCtx, ids: readonly number[]): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('group')
    .set({ updated_at: ctx.now() })
    .where('id', 'in', ids)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Every new member gets the default group. */
async function assertHoldsNothing(ctx: MemberCtx, id: number): Promise<void> {
  if (id === administratorsId) throw errors.groups.administratorsNotDefault()
  if ((await findPermissionIds(ctx.db, id)).length > 0) throw errors.groups.defaultHoldsNothing()
}

async function assertTitleFree(ctx: MemberCtx, title: string, exceptId = 0): Promise<void> {
  const existing = await ctx.db
    .selectFrom('group')
    .select('id')
    .where('title', '=', title)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  if (existing) throw errors.groups.titleTaken()
}

/** A concurrent request may have taken the title after the check. */
function explain(error: unknown): never {
  throw isTaken(error, 'title') ? errors.groups.titleTaken() : error
}

async function makeOnlyDefault(ctx: MemberCtx, id: number): Promise<void> {
  await ctx.db.updateTable('group').set({ is_default: 0 }).where('id', '!=', id).execute()
}

function toRow(form: GroupForm) {
  return {
    ...form,
    is_default: bit(form.is_default),
    is_display: bit(form.is_display),
    enable_upload: bit(form.enable_upload),
    enable_document_review: bit(form.enable_document_review),
    enable_comment: bit(form.enable_comment),
    enable_comment_approval: bit(form.enable_comment_approval),
    enable_article: bit(form.enable_article),
    enable_article_approval: bit(form.enable_article_approval),
  }
}
