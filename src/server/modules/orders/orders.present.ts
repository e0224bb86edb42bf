import type { Order } from '#shared/contract/orders.ts'
import { OrderType } from '#shared/enums.ts'
import { isMoneyMethod, methodIcon, methodTitle } from '#shared/payment-methods.ts'
import type { Ctx } from '#server/context.ts'
import { type OrderRow, receivedMoney } from './orders.queries.ts'

export async function presentOrders(ctx: Ctx, rows: readonly OrderRow[]): Promise<Order[]> {
  const documents = await findDocuments(
    ctx,
    rows.filter(({ type }) => type === OrderType.Document).map(({ product_id }) => product_id),
  )
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
    payment_title: methodTitle(row.payment_method ?? 0, ctx.settings.pay),
    payment_icon: methodIcon(row.payment_method ?? 0, ctx.settings.pay),
    has_surplus: row.has_surplus === 1,
    refunded_money: row.refunded_money,
    refunded_credits: row.refunded_credits,
    claimed_at: row.claimed_at,
    claim: row.claim,
    created_at: row.created_at,
    paid_at: row.paid_at,
    closed_at: row.closed_at,
    expired_at: row.expired_at,
  }))
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
