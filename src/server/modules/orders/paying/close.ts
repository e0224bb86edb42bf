import { OrderStatus, OrderType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { nextOrderStatus } from '#shared/order-status.ts'
import type { PayProviderName } from '#shared/payment-methods.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { PayProviderError } from '#server/gateways/pay/pay-provider.ts'
import { enqueue } from '#server/jobs.ts'
import { hasBought } from '#server/modules/downloads/eligibility.ts'
import { findPayments, lockOrder, type OrderRow, type PaymentRow } from '#server/modules/orders/orders.queries.ts'
import { lastAskMs } from './ask.ts'
import { getProvider } from './providers.ts'
import { settlePayment } from './settle.ts'

/** How long after its end an order waits for a provider that does not answer. */
const patienceMs = 60 * 60_000

/** Closes a pending order at its providers first, then here; throws if it turns out to be paid. */
export async function closeOrder(ctx: Ctx, orderId: number, remark = ''): Promise<void> {
  await closeAttempts(ctx, orderId, { isPatient: false })
  if (!(await closeHere(ctx, orderId, remark))) throw errors.orders.notPending()
}

/** An order whose time is over, or that is not needed any more: its providers are asked, and it is closed unless paid. */
export async function expireOrder(ctx: Ctx, orderId: number): Promise<void> {
  const order = await ctx.db.selectFrom('order').selectAll().where('id', '=', orderId).executeTakeFirst()
  if (order?.status !== OrderStatus.Pending) return
  if (order.expired_at > ctx.now() && !(await isNeedless(ctx, order))) return
  await closeAttempts(ctx, orderId, { isPatient: ctx.now() < order.expired_at + patienceMs })
  // The buyer says that it was paid: staff decide.
  if (order.claimed_at === null) await closeHere(ctx, orderId, '')
  else await transaction(ctx, (ctx) => markClosed(ctx, orderId))
}

/** The order is paid: what else was begun for it cannot be paid any more, as far as its provider is able to close it. */
export async function endAttempts(ctx: Ctx, orderId: number): Promise<void> {
  const order = await ctx.db
    .selectFrom('order')
    .select(['status', 'paid_at'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (order?.status !== OrderStatus.Paid) return
  await closeAttempts(ctx, orderId, { isPatient: ctx.now() < (order.paid_at ?? 0) + patienceMs })
  await transaction(ctx, (ctx) => markClosed(ctx, orderId))
}

/** The buyer got the document in another way. */
async function isNeedless(ctx: Ctx, { type, user_id: userId, product_id: documentId }: OrderRow): Promise<boolean> {
  return type === OrderType.Document && hasBought(ctx, { userId, documentId })
}

/** With patience, a provider that does not answer is tried again later, by the job. */
async function closeAttempts(ctx: Ctx, orderId: number, { isPatient }: { isPatient: boolean }): Promise<void> {
  const open = (await findPayments(ctx, orderId)).filter(({ state }) => state === 'open')
  for (const payment of open) await closeAttempt(ctx, payment, isPatient)
}

async function closeAttempt(ctx: Ctx, payment: PaymentRow, isPatient: boolean): Promise<void> {
  const name = payment.provider as PayProviderName
  const provider = getProvider(ctx, name)
  try {
    const before = await provider.query(payment.attempt_no)
    if (before.state === 'paid') {
      await settlePayment(ctx, name, before, { isAsked: true })
      return
    }
    if ((await provider.close(payment.attempt_no)) === 'paid')
      await settlePayment(ctx, name, await provider.query(payment.attempt_no), { isAsked: true })
  } catch (error) {
    if (!(error instanceof PayProviderError) || (isPatient && error.isTemporary)) throw error
    ctx.log.warn({ payment: payment.id, code: error.code, reason: error.message }, 'a payment is closed here only')
  }
}

/** False if it is not pending any more. */
function closeHere(ctx: Ctx, orderId: number, remark: string): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const { db, now } = ctx
    const order = await lockOrder(ctx, orderId)
    const status = nextOrderStatus(order.status, 'close')
    if (status === undefined) return false
    await db
      .updateTable('order')
      .set({
        status,
        closed_at: now(),
        pending_key: '',
        claimed_at: null,
        updated_at: now(),
        ...(remark && { remark }),
      })
      .where('id', '=', orderId)
      .execute()
    await markClosed(ctx, orderId)
    return true
  })
}

/** A payment may still be on its way: each attempt is asked about once more. */
async function markClosed(ctx: Ctx, orderId: number): Promise<void> {
  const { db, now } = ctx
  const closed = await db
    .updateTable('payment')
    .set({ state: 'closed', ask_at: null, updated_at: now() })
    .where('order_id', '=', orderId)
    .where('state', '=', 'open')
    .returning('id')
    .execute()
  for (const { id } of closed) await enqueue(ctx, 'orders.ask-payment', { payment: id }, { runAt: now() + lastAskMs })
}
