import { OrderStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { enqueue } from '#server/jobs.ts'

/** Longer than any of these jobs is late by itself. */
const lateMs = 30 * 60_000
const batch = 1000

/** A job that has failed for good, of a provider that was silent for too long, is begun again. */
export async function sweepOrders(ctx: Ctx): Promise<void> {
  const { db, now } = ctx
  const before = now() - lateMs
  const overdue = await db
    .selectFrom('order')
    .select('id')
    .where('status', '=', OrderStatus.Pending)
    .where('claimed_at', 'is', null)
    .where('expired_at', '<', before)
    .limit(batch)
    .execute()
  for (const { id } of overdue) await enqueue(ctx, 'orders.expire', { order: id })
  const unasked = await db
    .selectFrom('payment')
    .select('id')
    .where('state', '=', 'open')
    .where('ask_at', '<', before)
    .limit(batch)
    .execute()
  for (const { id } of unasked) await enqueue(ctx, 'orders.ask-payment', { payment: id })
  const processing = await db
    .selectFrom('refund')
    .select('id')
    .where('state', '=', 'processing')
    .where('updated_at', '<', before)
    .limit(batch)
    .execute()
  for (const { id } of processing) await enqueue(ctx, 'orders.ask-refund', { refund: id })
}
