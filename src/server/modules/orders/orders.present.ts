import { sql } from 'kysely'
import { creditName } from '#shared/credit-name.ts'
import type { Order } from '#shared/contract/orders.ts'
import { OrderType } from '#shared/enums.ts'
import { isMoneyMethod, methodIcon, methodTitle } from '#shared/payment-methods.ts'
import type { Ctx } from '#server/context.ts'
import { sumOf } from '#server/modules/stats/period.ts'
import { refundedCredits, refundedMoney } from '#server/modules/stats/sales.ts'
import { type OrderRow, receivedMoney } from './orders.queries.ts'

export async function presentOrders(ctx: Ctx, rows: readonly OrderRow[]): Promise<Order[]> {
  const documents = await findDocuments(
    ctx,
    rows.filter(({ type }) => type === OrderType.Document).map(({ product_id }) => product_id),
  )
  const refundsOf = await findRefunds(ctx, rows)
  return rows.map((row) => ({
    id: row.id,
    order_no: row.order_no,
    order_type: row.type,
    product_id: row.product_id,
    product_name: row.product_name,
    product_href: row.type === OrderType.Document ? (documents.get(row.product_id) ?? '') : '',
    quantity: row.quantity,
    price: row.price,
    amount: row.amount,
    coupon_amount: row.coupon_amount,
    money: row.money,
    received_money: isMoneyMethod(row.payment_method ?? 0) ? receivedMoney(row) : 0,
    bonus: row.bonus,
    status: row.status,
    payment_type: row.payment_method ?? 0,
    payment_title: methodTitle(row.payment_method ?? 0, ctx.settings.pay, creditName(ctx.settings)),
    payment_icon: methodIcon(row.payment_method ?? 0, ctx.settings.pay),
    has_surplus: row.has_surplus === 1,
    refunded_money: refundsOf(row).money,
    refunded_credits: refundsOf(row).credits,
    withdrawn_credits: row.type === OrderType.TopUp ? refundsOf(row).taken : 0,
    is_refunding: row.refunded_money > refundsOf(row).money || row.refunded_credits > refundsOf(row).credits,
    claimed_at: row.claimed_at,
    claim: row.claim,
    created_at: row.created_at,
    paid_at: row.paid_at,
    closed_at: row.closed_at,
    expired_at: row.expired_at,
  }))
}

interface Refunds {
  money: number
  credits: number
  /** Credits that were withdrawn. */
  taken: number
}

/** The amounts that went back; an order reserves more while a refund has no answer. */
async function findRefunds({ db }: Ctx, orders: readonly OrderRow[]): Promise<(order: OrderRow) => Refunds> {
  const ids = orders.filter((row) => row.refunded_money > 0 || row.refunded_credits > 0).map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('order')
          .select(['order.id', refundedMoney.as('money'), refundedCredits.as('credits')])
          .select(({ selectFrom }) =>
            selectFrom('refund')
              .select(sumOf(sql.ref('refund.taken_credits')).as('taken'))
              .whereRef('refund.order_id', '=', 'order.id')
              .as('taken'),
          )
          .where('order.id', 'in', ids)
          .execute()
  const byOrder = new Map(rows.map(({ id, taken, ...back }) => [id, { ...back, taken: taken ?? 0 }]))
  return ({ id }) => byOrder.get(id) ?? { money: 0, credits: 0, taken: 0 }
}

async function findDocuments({ db }: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .select(['id', 'uuid'])
    .where('id', 'in', [...new Set(ids)])
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, uuid }) => [id, `/document/${uuid}`]))
}
