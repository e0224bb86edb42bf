import { type RawBuilder, sql } from 'kysely'
import type { stats } from '#shared/contract/stats.ts'
import type { Input } from '#shared/endpoint.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { moneyMethods, purchaseMethods } from '#shared/payment-methods.ts'
import type { Ctx } from '#server/context.ts'
import { overAll, sumOf, toPeriod } from './period.ts'

/**
 * The income of orders. What went back counts on the day of the payment, so that a period of the statistics, of the list of
 * orders and of its file have the same sums.
 */

const received = sql`coalesce("order"."received_money", "order"."money")`

/** The money that went back of an order, in fen. */
export const refundedMoney = withoutRunning('money')
/** The credits that went back, or were withdrawn. */
export const refundedCredits = withoutRunning('credits')
/** The money of a paid order, in fen, less what went back. */
export const netMoney = ofMethods(moneyMethods, sql`${received} - ${refundedMoney}`)
/** The credits that were paid for an order, less what went back. */
export const netCredits = ofMethods([PaymentMethod.Credits], sql`"order"."amount" - ${refundedCredits}`)
/** Whether a part of an order went back, or was withdrawn. */
const isTakenBack = sql`${refundedMoney} > 0 or ${refundedCredits} > 0`

/** A refund that is not answered yet gave nothing back: an order only reserves it. A surplus is none of an order's own money. */
function withoutRunning(unit: 'money' | 'credits'): RawBuilder<number> {
  const reserved = sql.ref(`order.refunded_${unit}`)
  const running = sql`(select coalesce(sum(${sql.ref(`refund.${unit}`)}), 0) from refund
    left join payment on payment.id = refund.payment_id
    where refund.order_id = "order".id and refund.state = 'processing' and coalesce(payment.state, '') <> 'surplus')`
  return sql<number>`cast(${reserved} - case when ${reserved} > 0 then ${running} else 0 end as bigint)`
}

/** The value of orders that were paid by one of the methods; 0 for the others. */
function ofMethods(methods: readonly PaymentMethod[], value: RawBuilder<unknown>): RawBuilder<number> {
  const isOne = sql`"order"."payment_method" in (${sql.join(methods.map((method) => sql.lit(method)))})`
  return sql<number>`case when ${isOne} then ${value} else 0 end`
}

const counted = {
  sold: sql<number>`count(*)`,
  taken_back: sumOf(sql`case when ${isTakenBack} then 1 else 0 end`),
  money: sumOf(netMoney),
  credits: sumOf(netCredits),
}
type Figure = keyof typeof counted
const names = Object.keys(counted) as Figure[]

/** The figures of each group, and of all groups together, however many are listed. */
const figures = [
  ...names.map((name) => counted[name].as(name)),
  ...names.map((name) => overAll(counted[name]).as(`all_${name}` as const)),
  sql<number>`count(*) over ()`.as('total'),
]
type Row = Record<Figure | `all_${Figure}` | 'total', number>

const listed = 1000

const rankings = {
  sold: ['sold', 'money', 'credits'],
  income: ['money', 'credits', 'sold'],
} as const satisfies Record<string, readonly Figure[]>

/** The order of a ranking: the greatest figure first. */
function ranked(by: keyof typeof rankings, ties: readonly string[]) {
  const columns = [...rankings[by].map((name) => sql`${sql.ref(name)} desc`), ...ties.map((name) => sql.ref(name))]
  return sql`${sql.join(columns)}`
}

/** Orders that somebody paid for, in money, in credits or with a code: no trial, no gift. */
function purchases({ db, now }: Ctx, input: Input<typeof stats.authors>) {
  const { from, to } = toPeriod(now(), input)
  return db
    .selectFrom('order')
    .leftJoin('document', (join) =>
      join.onRef('document.id', '=', 'order.product_id').on('order.type', '=', OrderType.Document),
    )
    .select('order.type')
    .select(figures)
    .where('order.status', '=', OrderStatus.Paid)
    .where('order.payment_method', 'in', purchaseMethods)
    .where('order.paid_at', '>=', from)
    .where('order.paid_at', '<', to)
    .groupBy('order.type')
    .limit(listed)
}

export async function listSales(ctx: Ctx, { by, ...input }: Input<typeof stats.sales>) {
  const ranking = ranked(by, ['type', 'product_id'])
  const sales = purchases(ctx, input)
    .select(({ fn }) => ['order.product_id', fn.max('order.product_name').as('name')])
    .groupBy('order.product_id')
    .orderBy(ranking)
  const rows = await ctx.db
    .selectFrom(sales.as('sale'))
    .leftJoin('document', (join) =>
      join.onRef('document.id', '=', 'sale.product_id').on('sale.type', '=', OrderType.Document),
    )
    .leftJoin('user', 'user.id', 'document.user_id')
    .selectAll('sale')
    .select(['document.title', 'document.uuid', 'document.deleted_at', 'document.user_id', 'user.username'])
    .orderBy(ranking)
    .execute()
  return {
    ...totalsOf(rows),
    product: rows.map((row) => ({
      order_type: row.type,
      product_id: row.product_id,
      title: row.title ?? row.name,
      href: row.uuid !== null && row.deleted_at === null ? `/document/${row.uuid}` : '',
      user_id: row.user_id ?? 0,
      username: row.username ?? '',
      ...figuresOf(row),
    })),
  }
}

export async function listAuthors(ctx: Ctx, input: Input<typeof stats.authors>) {
  const ranking = ranked('income', ['type', 'author_id'])
  const sales = purchases(ctx, input)
    .select('document.user_id as author_id')
    .groupBy('document.user_id')
    .orderBy(ranking)
  const rows = await ctx.db
    .selectFrom(sales.as('sale'))
    .leftJoin('user', 'user.id', 'sale.author_id')
    .selectAll('sale')
    .select('user.username')
    .orderBy(ranking)
    .execute()
  return {
    ...totalsOf(rows),
    author: rows.map((row) => ({
      order_type: row.type,
      user_id: row.author_id ?? 0,
      username: row.username ?? '',
      ...figuresOf(row),
    })),
  }
}

function figuresOf({ sold, taken_back, money, credits }: Row) {
  return { sold, taken_back, money, credits }
}

function totalsOf([row]: readonly Row[]) {
  return {
    total: row?.total ?? 0,
    sold: row?.all_sold ?? 0,
    taken_back: row?.all_taken_back ?? 0,
    money: row?.all_money ?? 0,
    credits: row?.all_credits ?? 0,
  }
}
