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

/** Whether it is for a document by this member, who has a share of what is paid; the owner of the site does not count. */
export async function isSoldBy({ db }: Ctx, { type, product_id }: OrderRow, userId: number): Promise<boolean> {
  if (type !== OrderType.Document) return false
  const own = await db
    .selectFrom('document')
    .innerJoin('user', 'user.id', 'document.user_id')
    .select('document.id')
    .where('document.id', '=', product_id)
    .where('document.user_id', '=', userId)
    .where('user.is_root', '=', 0)
    .executeTakeFirst()
  return own !== undefined
}

/** The money received for an order: the sum that staff have counted, or else its price in money. */
export function receivedMoney({ received_money, money }: Pick<OrderRow, 'received_money' | 'money'>): number {
  return received_money ?? money
}

export function isPending({ status, expired_at }: Pick<OrderRow, 'status' | 'expired_at'>, now: number): boolean {
  return status === OrderStatus.Pending && expired_at > now
}
