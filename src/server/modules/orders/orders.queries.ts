import { errors } from '#shared/errors.ts'
import { OrderStatus, OrderType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'

export type OrderRow = Awaited<ReturnType<typeof lockOrder>>
export type PaymentRow = Awaited<ReturnType<typeof findPayments>>[number]

/** Locked until the transaction ends: everything that changes an order begins with it. */
export async function lockOrder(ctx: Ctx, id: number) {
  await lockRows(ctx, 'order', [id])
  const row = await ctx.db.selectFrom('order').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.orders.notFound()
  return row
}

/** Of the viewer: the orders of others do not exist. */
export async function getOwnOrder({ db, viewer }: Ctx, orderNo: string) {
  const row = await db
    .selectFrom('order')
    .selectAll()
    .where('order_no', '=', orderNo)
    .where('user_id', '=', viewer.id)
    .executeTakeFirst()
  if (!row) throw errors.orders.notFound()
  return row
}

export function findPayments({ db }: Ctx, orderId: number) {
  return db.selectFrom('payment').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
}

/** The member whom a sale brings a share: the author of the document. Nobody for cards and credits. */
export async function findSellers({ db }: Ctx, { type, product_id }: OrderRow): Promise<number[]> {
  if (type !== OrderType.Document) return []
  const rows = await db.selectFrom('document').select('user_id').where('id', '=', product_id).execute()
  return rows.map(({ user_id }) => user_id)
}

/** The money received for an order: the sum that staff have counted, or else its price in money. */
export function receivedMoney({ received_money, money }: Pick<OrderRow, 'received_money' | 'money'>): number {
  return received_money ?? money
}

export function isPending({ status, expired_at }: Pick<OrderRow, 'status' | 'expired_at'>, now: number): boolean {
  return status === OrderStatus.Pending && expired_at > now
}
