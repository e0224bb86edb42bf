import type { groups } from '#shared/contract/access.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { bit } from '#server/db/tables/column.ts'
import { withinReach } from './access.policy.ts'
import { presentGroups } from './groups.present.ts'
import { countMembers, findGroup, pathsOfGroups, permissionIdsOf } from './groups.queries.ts'

type GroupForm = Input<typeof groups.create>

export function createGroup(ctx: MemberCtx, form: GroupForm): Promise<Reply<typeof groups.create>> {
  return transaction(ctx, async (ctx) => {
    await refuseTakenTitle(ctx, form.title)
    const now = ctx.now()
    const row = await ctx.db
      .insertInto('group')
      .values({ ...toRow(form), created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(explain)
    if (form.is_default) await makeOnlyDefault(ctx, row.id)
    const [group] = await presentGroups(ctx, [row])
    if (!group) throw errors.groups.notFound()
    return group
  })
}

export function updateGroup(ctx: MemberCtx, { id, ...form }: Input<typeof groups.update>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockGroups(ctx, [id])
    const group = await findGroup(ctx.db, id)
    if (!group) throw errors.groups.notFound()
    if (group.is_default && !form.is_default) throw errors.groups.defaultNeeded()
    if (form.is_default && !group.is_default) await refuseUngivable(ctx, id)
    await refuseTakenTitle(ctx, form.title, id)
    await ctx.db
      .updateTable('group')
      .set({ ...toRow(form), updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
      .catch(explain)
    if (form.is_default) await makeOnlyDefault(ctx, id)
  })
}

export function deleteGroups(ctx: MemberCtx, ids: readonly number[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockGroups(ctx, ids)
    const found = await ctx.db.selectFrom('group').select(['id', 'is_default']).where('id', 'in', ids).execute()
    if (found.some(({ is_default }) => is_default)) throw errors.groups.defaultKept()
    if ((await countMembers(ctx.db, ids)).size > 0) throw errors.groups.hasUsers()
    await ctx.db.deleteFrom('group_permission').where('group_id', 'in', ids).execute()
    await ctx.db.deleteFrom('group').where('id', 'in', ids).execute()
  })
}

/** Replaces what a group may do. Nobody gives or takes what they do not hold themselves. */
export function setGroupPermissions(ctx: MemberCtx, groupId: number, permissionIds: readonly number[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (!(await lockGroups(ctx, [groupId]))) throw errors.groups.notFound()
    const before = await permissionIdsOf(ctx.db, groupId)
    const asked = new Set(permissionIds.filter((id) => id > 0))
    const known = await ctx.db.selectFrom('permission').select(['id', 'path']).execute()
    const wanted = known.filter(({ id }) => asked.has(id))
    const changed = known.filter(({ id }) => asked.has(id) !== before.includes(id))
    if (
      !withinReach(
        ctx.viewer,
        changed.map(({ path }) => path),
      )
    ) {
      throw errors.groups.beyondOwn()
    }
    await ctx.db.deleteFrom('group_permission').where('group_id', '=', groupId).execute()
    if (wanted.length === 0) return
    const rows = wanted.map(({ id }) => ({ group_id: groupId, permission_id: id }))
    await ctx.db.insertInto('group_permission').values(rows).execute()
  })
}

/** Written first: who saves the same groups at the same time waits here, so that two changes do not become one. */
async function lockGroups(ctx: MemberCtx, ids: readonly number[]): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('group')
    .set({ updated_at: ctx.now() })
    .where('id', 'in', ids)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** The default group is given to everybody who registers: only one's own permissions can be given so. */
async function refuseUngivable(ctx: MemberCtx, id: number): Promise<void> {
  if (!withinReach(ctx.viewer, await pathsOfGroups(ctx.db, [id]))) throw errors.groups.beyondOwn()
}

async function refuseTakenTitle(ctx: MemberCtx, title: string, exceptId = 0): Promise<void> {
  const other = await ctx.db
    .selectFrom('group')
    .select('id')
    .where('title', '=', title)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  if (other) throw errors.groups.titleTaken()
}

/** Between the look and the write somebody else may have taken the title. */
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
