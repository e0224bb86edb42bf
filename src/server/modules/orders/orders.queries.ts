import { errors } from '#shared/errors.ts'
import { OrderStatus } from '#shared/enums.ts'
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

export function isPending({ status, expired_at }: Pick<OrderRow, 'status' | 'expired_at'>, now: number): boolean {
  return status === OrderStatus.Pending && expired_at > now
}
