import type { orders } from '#shared/contract/orders.ts'
import type { Reply } from '#shared/endpoint.ts'
import { OrderStatus, PaymentMethod } from '#shared/enums.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { followRefund } from '#server/modules/orders/refunds/refund.ts'
import { createNumber } from './order-numbers.ts'
import { presentForStaff } from './orders.list.ts'
import { lockOrder } from './orders.queries.ts'

const reason = '试运行结束，收回'

/** The orders paid in the trial that still grant something. */
export async function listTrialOrders(ctx: Ctx): Promise<Reply<typeof orders.trialOrders>> {
  const rows = await unwithdrawn(ctx).selectAll('order').select('user.username').orderBy('order.id', 'desc').execute()
  return { order: await presentForStaff(ctx, rows) }
}

/** How many orders of the trial still grant something. */
export async function countTrialOrders(ctx: Pick<Ctx, 'db'>): Promise<number> {
  const { count } = await unwithdrawn(ctx)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Each order in a transaction of its own: what was withdrawn stays withdrawn if another one fails. */
export async function withdrawTrial(ctx: MemberCtx): Promise<Reply<typeof orders.withdrawTrial>> {
  const rows = await unwithdrawn(ctx).select(['order.id', 'order.order_no']).orderBy('order.id').execute()
  const result = { withdrawn: 0, missing_credits: 0 }
  for (const { id } of rows) {
    const missing = await withdraw(ctx, id)
    if (missing === undefined) continue
    result.withdrawn += 1
    result.missing_credits += missing
  }
  ctx.audit?.({ ids: rows.map(({ order_no }) => order_no), change: reason })
  return result
}

/** The number of credits that are spent already; undefined if another request withdrew the order first. */
function withdraw(ctx: MemberCtx, orderId: number): Promise<number | undefined> {
  return transaction(ctx, async (ctx) => {
    const { db, now, viewer } = ctx
    const { amount, refunded_credits } = await lockOrder(ctx, orderId)
    const credits = amount - refunded_credits
    if (credits <= 0) return undefined
    const refundNo = createNumber(now())
    await db
      .insertInto('refund')
      .values({
        order_id: orderId,
        refund_no: refundNo,
        money: 0,
        credits,
        state: 'processing',
        reason,
        user_id: viewer.id,
        created_at: now(),
        updated_at: now(),
      })
      .execute()
    await db
      .updateTable('order')
      .set({ refunded_credits: amount, updated_at: now() })
      .where('id', '=', orderId)
      .execute()
    await followRefund(ctx, refundNo, { state: 'done', message: '没有收款，不用退钱' })
    const { missing_credits } = await db
      .selectFrom('refund')
      .select('missing_credits')
      .where('refund_no', '=', refundNo)
      .executeTakeFirstOrThrow()
    return missing_credits
  })
}

function unwithdrawn({ db }: Pick<Ctx, 'db'>) {
  return db
    .selectFrom('order')
    .leftJoin('user', 'user.id', 'order.user_id')
    .where('order.payment_method', '=', PaymentMethod.Trial)
    .where('order.status', '=', OrderStatus.Paid)
    .whereRef('order.refunded_credits', '<', 'order.amount')
}
