import type { notifications } from '#shared/contract/notifications.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { presentNotifications } from './notifications.present.ts'

const sizes = { min: 1, max: 100, default: 20 }

export async function listNotifications(
  ctx: MemberCtx,
  { unread, kind, ...input }: Input<typeof notifications.list>,
): Promise<Reply<typeof notifications.list>> {
  let query = selectOwn(ctx).selectAll()
  if (unread) query = query.where('read_at', 'is', null)
  if (kind.length > 0) query = query.where('kind', 'in', kind)
  const { total, rows } = await listRows(
    query,
    { ...input, order: '' },
    {
      order: [
        ['latest_at', 'desc'],
        ['id', 'desc'],
      ],
      sizes,
    },
  )
  return { total, notification: await presentNotifications(ctx, rows) }
}

/** More than this are shown as “99+”. */
const maxCount = 100

export async function countUnread(ctx: Pick<Ctx, 'db' | 'viewer'>): Promise<number> {
  const unread = selectOwn(ctx).select('id').where('read_at', 'is', null).limit(maxCount)
  const { count } = await ctx.db
    .selectFrom(unread.as('unread'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Ids that are not the member's own are left alone. */
export async function markRead(ctx: MemberCtx, { id: ids, all }: Input<typeof notifications.read>): Promise<void> {
  if (!all && ids.length === 0) throw errors.notifications.nothingChosen()
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'user', [ctx.viewer.id])
    let query = ctx.db
      .updateTable('notification')
      .set({ read_at: ctx.now() })
      .where('user_id', '=', ctx.viewer.id)
      .where('group_id', 'is', null)
      .where('read_at', 'is', null)
    if (!all) query = query.where('id', 'in', ids)
    await query.execute()
    ctx.emit('notifications.changed', { userId: ctx.viewer.id })
  })
}

export async function deleteNotifications(ctx: MemberCtx, ids: readonly number[]): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'user', [ctx.viewer.id])
    const deleted = await ctx.db
      .updateTable('notification')
      .set({ deleted_at: ctx.now(), mail_at: null })
      .where('user_id', '=', ctx.viewer.id)
      .where('id', 'in', ids)
      .where('group_id', 'is', null)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute()
    if (deleted.length === 0) throw errors.notifications.notFound()
    ctx.emit('notifications.changed', { userId: ctx.viewer.id })
  })
}

/** The first of each group of the viewer’s. */
function selectOwn({ db, viewer }: Pick<Ctx, 'db' | 'viewer'>) {
  return db
    .selectFrom('notification')
    .where('user_id', '=', viewer.id)
    .where('group_id', 'is', null)
    .where('deleted_at', 'is', null)
}
