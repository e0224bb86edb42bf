import { type SelectQueryBuilder, sql } from 'kysely'
import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { OrderStatus, OrderType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { methodTitle, moneyMethods } from '#shared/payment-methods.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { listRows, matches, within } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Tables } from '#server/db/tables.ts'
import { dayOfQuarter, quarterOf, sumOf, toIsoDate } from '#server/modules/stats/period.ts'
import { netCredits, netMoney } from '#server/modules/stats/sales.ts'
import { findOwnCard } from '#server/modules/vip/vip.list.ts'
import { findReleasable } from '#server/modules/codes/take-code.ts'
import { presentOrders } from './orders.present.ts'
import { findPayments, getOwnOrder, type OrderRow } from './orders.queries.ts'

const sizes = { min: 10, max: 100, default: 20 }

export async function getOrder(
  ctx: MemberCtx,
  { order_no }: Input<typeof orders.get>,
): Promise<Reply<typeof orders.get>> {
  const [order] = await presentOrders(ctx, [await getOwnOrder(ctx, order_no)])
  if (!order) throw errors.orders.notFound()
  return { ...order, now: ctx.now() }
}

export async function getStatus(
  ctx: MemberCtx,
  { order_no }: Input<typeof orders.status>,
): Promise<Reply<typeof orders.status>> {
  const { status, has_surplus } = await getOwnOrder(ctx, order_no)
  return { status, has_surplus: has_surplus === 1 }
}

export async function listOwnOrders(
  ctx: MemberCtx,
  { status, order_type, payment_type, created_at, ...input }: Input<typeof orders.own>,
): Promise<Reply<typeof orders.own>> {
  const query = filtered(
    ctx.db.selectFrom('order').selectAll('order').where('user_id', '=', ctx.viewer.id).where('is_hidden', '=', 0),
    { status, order_type, payment_type },
  ).where(within('created_at', created_at))
  const { total, rows } = await listRows(query, input, {
    search: ['order_no', 'product_name'],
    order: [['id', 'desc']],
    sizes,
  })
  return { total, order: await presentOrders(ctx, rows), now: ctx.now() }
}

/** The number of an order, which existing clients send, gives this order alone, with its card. */
export async function listOwnVipOrders(
  ctx: MemberCtx,
  { order_no, ...input }: Input<typeof orders.ownVip>,
): Promise<Reply<typeof orders.ownVip>> {
  if (!order_no) return listOwnOrders(ctx, { ...input, order_type: [OrderType.Vip] })
  const order = await getOwnOrder(ctx, order_no)
  if (order.type !== OrderType.Vip) throw errors.orders.notFound()
  const card = await findOwnCard(ctx, order_no)
  return { total: 1, order: await presentOrders(ctx, [order]), now: ctx.now(), ...card }
}

export async function listOrders(ctx: Ctx, input: Input<typeof orders.list>): Promise<Reply<typeof orders.list>> {
  const { user_id, created_at, paid_at, has_surplus, is_claimed, wd, ...rest } = input
  let query = filtered(
    ctx.db.selectFrom('order').leftJoin('user', 'user.id', 'order.user_id').selectAll('order').select('user.username'),
    rest,
  )
    .where(within('order.created_at', created_at))
    .where(within('order.paid_at', paid_at))
  if (user_id.length > 0) query = query.where('order.user_id', 'in', user_id)
  if (has_surplus !== undefined) query = query.where('order.has_surplus', '=', bit(has_surplus))
  if (is_claimed !== undefined) query = query.where('order.claimed_at', is_claimed ? 'is not' : 'is', null)
  if (wd) query = query.where(matches(['order.order_no', 'order.product_name', 'user.username', 'order.remark'], wd))
  const { total, rows } = await listRows(
    query,
    { ...rest, wd: '' },
    {
      order: [['order.id', 'desc']],
      sortable: ['created_at', 'paid_at', 'amount', 'money'],
      nullable: ['paid_at'],
    },
  )
  const sums = await query
    .clearSelect()
    .where('order.status', '=', OrderStatus.Paid)
    .select([sumOf(netMoney).as('money'), sumOf(netCredits).as('credits')])
    .executeTakeFirstOrThrow()
  return { total, order: await presentForStaff(ctx, rows), ...sums }
}

export async function getDetail(ctx: Ctx, { id }: Input<typeof orders.detail>): Promise<Reply<typeof orders.detail>> {
  const { db } = ctx
  const row = await db
    .selectFrom('order')
    .leftJoin('user', 'user.id', 'order.user_id')
    .selectAll('order')
    .select('user.username')
    .where('order.id', '=', id)
    .executeTakeFirst()
  if (!row) throw errors.orders.notFound()
  const [order] = await presentForStaff(ctx, [row])
  if (!order) throw errors.orders.notFound()
  const payments = await findPayments(ctx, id)
  const notices = await db
    .selectFrom('payment_notice')
    .innerJoin('payment', 'payment.id', 'payment_notice.payment_id')
    .selectAll('payment_notice')
    .where('payment.order_id', '=', id)
    .orderBy('payment_notice.id')
    .limit(200)
    .execute()
  const refunds = await db
    .selectFrom('refund')
    .leftJoin('user', 'user.id', 'refund.user_id')
    .selectAll('refund')
    .select('user.username')
    .where('refund.order_id', '=', id)
    .orderBy('refund.id')
    .execute()
  return {
    ...order,
    download_code: (await findReleasable(ctx, id)) ?? '',
    payment: payments.map(({ method, ...payment }) => ({ ...payment, payment_type: method })),
    notice: notices,
    refund: refunds.map((refund) => ({ ...refund, username: refund.username ?? '' })),
  }
}

/** Paid orders by day and method, in money; those that were paid in credits bring none. */
export async function sumByDay(ctx: Ctx, { paid_at }: Input<typeof orders.sums>): Promise<Reply<typeof orders.sums>> {
  const rows = await ctx.db
    .selectFrom('order')
    .select(({ fn }) => [
      quarterOf('paid_at').as('quarter'),
      'payment_method',
      fn.countAll<number>().as('count'),
      sumOf(netMoney).as('money'),
    ])
    .where('status', '=', OrderStatus.Paid)
    .where('payment_method', 'in', moneyMethods)
    .where(within('paid_at', paid_at))
    .groupBy(['quarter', 'payment_method'])
    .orderBy('quarter')
    .execute()
  const sums = new Map<string, Reply<typeof orders.sums>['day'][number]>()
  for (const { quarter, payment_method, count, money } of rows) {
    const [day, payment_type] = [toIsoDate(dayOfQuarter(quarter)), payment_method ?? 0]
    const payment_title = methodTitle(payment_type, ctx.settings.pay)
    const sum = sums.get(`${day} ${payment_type}`) ?? { day, payment_type, payment_title, count: 0, money: 0 }
    sums.set(`${day} ${payment_type}`, { ...sum, count: sum.count + count, money: sum.money + money })
  }
  return { day: [...sums.values()] }
}

export async function presentForStaff(ctx: Ctx, rows: readonly (OrderRow & { username: string | null })[]) {
  const presented = await presentOrders(ctx, rows)
  return presented.map((order, index) => {
    const row = rows[index]
    return {
      ...order,
      user_id: row?.user_id ?? 0,
      username: row?.username ?? '',
      claim_picture: row?.claim_picture ?? '',
      difference_money: order.received_money === 0 ? 0 : order.received_money - order.money,
      remark: row?.remark ?? '',
      ip: row?.ip ?? '',
    }
  })
}

interface Filters {
  status: readonly number[]
  order_type: readonly number[]
  payment_type: readonly number[]
}

function filtered<TB extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, TB | 'order', O>,
  { status, order_type, payment_type }: Filters,
): SelectQueryBuilder<Tables, TB | 'order', O> {
  const among = (column: string, values: readonly number[]) =>
    sql<boolean>`${sql.ref(`order.${column}`)} in (${sql.join(values)})`
  let result = query
  if (status.length > 0) result = result.where(among('status', status))
  if (order_type.length > 0) result = result.where(among('type', order_type))
  if (payment_type.length > 0) result = result.where(among('payment_method', payment_type))
  return result
}
