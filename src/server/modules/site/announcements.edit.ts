import { announcements } from '#shared/contract/announcements.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { AnnouncementAudience } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { describeDiff } from '#server/audit-text.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'
import { assertEndsAfterStart } from './schedule.ts'

type Form = Input<typeof announcements.create>

export function createAnnouncement(ctx: MemberCtx, form: Form): Promise<Reply<typeof announcements.create>> {
  assertEndsAfterStart(form)
  return transaction(ctx, async (ctx) => {
    const groupIds = await checkGroups(ctx, form)
    const row = await ctx.db
      .insertInto('announcement')
      .values({ ...toColumns(form), user_id: ctx.viewer.id, created_at: ctx.now(), updated_at: ctx.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
    await setGroups(ctx.db, row.id, groupIds)
    ctx.emit('site.changed', {})
    return { ...row, enable: row.enable === bit(true), group_id: groupIds }
  })
}

export function updateAnnouncement(ctx: MemberCtx, { id, ...form }: Input<typeof announcements.update>): Promise<void> {
  assertEndsAfterStart(form)
  return transaction(ctx, async (ctx) => {
    const before = await ctx.db.selectFrom('announcement').selectAll().where('id', '=', id).executeTakeFirst()
    if (!before) throw errors.records.notFound()
    const groupsBefore = await findGroupTitles(ctx.db, id)
    const groupIds = await checkGroups(ctx, form)
    const columns = toColumns(form)
    await ctx.db
      .updateTable('announcement')
      .set({ ...columns, updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
    await setGroups(ctx.db, id, groupIds)
    ctx.audit?.({
      change: describeDiff(
        { ...before, group_id: groupsBefore },
        { ...columns, group_id: await findGroupTitles(ctx.db, id) },
        announcements.update.input,
      ),
    })
    ctx.emit('site.changed', {})
  })
}

/** The groups that each of these announcements is for. */
export async function findGroupIds(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('announcement_group')
    .selectAll()
    .where('announcement_id', 'in', ids)
    .orderBy('group_id')
    .execute()
  const byAnnouncement = Map.groupBy(rows, ({ announcement_id }) => announcement_id)
  return new Map([...byAnnouncement].map(([id, groups]) => [id, groups.map(({ group_id }) => group_id)]))
}

async function findGroupTitles(db: Db, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('announcement_group')
    .innerJoin('group', 'group.id', 'announcement_group.group_id')
    .select('group.title')
    .where('announcement_id', '=', id)
    .orderBy('group.id')
    .execute()
  return rows.map(({ title }) => title)
}

function toColumns({ group_id: _groups, enable, ...form }: Form) {
  return { ...form, enable: bit(enable) }
}

/** An announcement for groups names at least one; for all others the choice is dropped. */
async function checkGroups({ db }: Ctx, { audience, group_id }: Form): Promise<number[]> {
  if (audience !== AnnouncementAudience.Groups) return []
  if (group_id.length === 0) throw errors.announcements.groupsNeeded()
  const ids = [...new Set(group_id)].toSorted((a, b) => a - b)
  const known = await db.selectFrom('group').select('id').where('id', 'in', ids).execute()
  if (known.length < ids.length) throw errors.announcements.groupUnknown()
  return ids
}

async function setGroups(db: Db, id: number, groupIds: readonly number[]): Promise<void> {
  await db.deleteFrom('announcement_group').where('announcement_id', '=', id).execute()
  if (groupIds.length === 0) return
  const rows = groupIds.map((group_id) => ({ announcement_id: id, group_id }))
  await db.insertInto('announcement_group').values(rows).execute()
}
