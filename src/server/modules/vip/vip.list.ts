import type { Selectable } from 'kysely'
import type { UserVip, vip } from '#shared/contract/vip.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { VipCard } from '#shared/enums.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { listRows, matches, within } from '#server/db/list.ts'
import type { Tables } from '#server/db/tables.ts'
import { findActiveCard } from '../users/vip-members.ts'

export async function listOwnCards(ctx: MemberCtx, input: Input<typeof vip.own>): Promise<Reply<typeof vip.own>> {
  const query = ctx.db.selectFrom('user_vip').selectAll().where('user_id', '=', ctx.viewer.id)
  const { total, rows } = await listRows(query, input, {
    order: [
      ['expired_at', 'desc'],
      ['id', 'desc'],
    ],
    sizes: { min: 1, max: 100, default: 20 },
  })
  return { total, user_vip: rows.map(present) }
}

export async function getActiveCard(ctx: MemberCtx): Promise<UserVip> {
  const card = await findActiveCard(ctx)
  return card ? present(card) : noCard
}

/** The card that an order has brought; undefined while it has brought none. */
export async function findOwnCard({ db, viewer }: MemberCtx, orderNo: string): Promise<UserVip | undefined> {
  const card = await db
    .selectFrom('user_vip')
    .selectAll()
    .where('user_id', '=', viewer.id)
    .where('order_no', '=', orderNo)
    .executeTakeFirst()
  return card && present(card)
}

export async function listCards(ctx: Ctx, input: Input<typeof vip.list>): Promise<Reply<typeof vip.list>> {
  const { user_id, type, state, joined_at, expired_at, wd, ...rest } = input
  const now = ctx.now()
  let query = ctx.db
    .selectFrom('user_vip')
    .leftJoin('user', 'user.id', 'user_vip.user_id')
    .selectAll('user_vip')
    .select('user.username')
    .where(within('user_vip.joined_at', joined_at))
    .where(within('user_vip.expired_at', expired_at))
  if (user_id.length > 0) query = query.where('user_vip.user_id', 'in', user_id)
  if (type.length > 0) query = query.where('user_vip.type', 'in', type)
  if (state === 'active') query = query.where('joined_at', '<=', now).where('expired_at', '>', now)
  if (state === 'waiting') query = query.where('joined_at', '>', now).whereRef('expired_at', '>', 'joined_at')
  if (state === 'ended')
    query = query.where((eb) => eb.or([eb('expired_at', '<=', now), eb('expired_at', '=', eb.ref('joined_at'))]))
  if (wd) query = query.where(matches(['user.username', 'user_vip.order_no', 'user_vip.reason'], wd))
  const { total, rows } = await listRows(
    query,
    { ...rest, wd: '' },
    { order: [['user_vip.id', 'desc']], sortable: ['joined_at', 'expired_at', 'download_used'] },
  )
  return {
    total,
    user_vip: rows.map((row) => ({
      ...present(row),
      user_id: row.user_id,
      username: row.username ?? '',
      reason: row.reason,
      created_at: row.created_at,
    })),
  }
}

const noCard: UserVip = {
  id: 0,
  type: VipCard.Year,
  download: 0,
  download_used: 0,
  times: 0,
  discount: 0,
  joined_at: null,
  expired_at: null,
  order_no: '',
}

function present(row: Selectable<Tables['user_vip']>): UserVip {
  const { id, type, download, download_used, times, discount, joined_at, expired_at, order_no } = row
  return { id, type, download, download_used, times, discount, joined_at, expired_at, order_no }
}
