import type { PaymentMethod } from '#shared/enums.ts'
import { nextOrderStatus, type OrderEvent } from '#shared/order-status.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { NoticeOutcome } from '#server/db/tables/orders.ts'
import type { PaymentState, PayProviderName } from '#server/gateways/pay/pay-provider.ts'
import { grant } from './grant.ts'
import { lockOrder, type PaymentRow } from '#server/modules/orders/orders.queries.ts'

interface Settlement {
  orderId: number
  method: PaymentMethod
  /** `grant` is for what was paid after the order was closed, by staff. */
  event?: Extract<OrderEvent, 'pay' | 'grant'>
  paidAt?: number
}

/**
 * The only way to a paid order: what was bought is granted in the same transaction. False, without any change, if the order
 * is not to be paid any more, or what was bought is gone.
 */
export function settle(ctx: Ctx, { orderId, method, event = 'pay', paidAt = ctx.now() }: Settlement): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, orderId)
    const status = nextOrderStatus(order.status, event)
    if (status === undefined || !(await grant(ctx, order))) return false
    await ctx.db
      .updateTable('order')
      .set({
        status,
        payment_method: method,
        paid_at: paidAt,
        closed_at: null,
        claimed_at: null,
        pending_key: '',
        updated_at: ctx.now(),
      })
      .where('id', '=', order.id)
      .execute()
    return true
  })
}

/** `unknown`: no attempt of ours; `unpaid`: there is nothing to settle yet. */
export type PaymentOutcome = NoticeOutcome | 'unknown' | 'unpaid'

/**
 * Settles what a provider says was paid, once for each of its transactions. Money that cannot be granted (the order is
 * closed, paid already, or another amount was paid) is never dropped: it is flagged for staff, and the buyer sees it.
 */
export function settlePayment(ctx: Ctx, provider: PayProviderName, paid: PaymentState): Promise<PaymentOutcome> {
  return transaction(ctx, async (ctx) => {
    const found = await findAttempt(ctx, provider, paid.attemptNo)
    if (!found) return 'unknown'
    if (paid.state !== 'paid') return 'unpaid'
    await lockOrder(ctx, found.order_id)
    // Read again: another notice may have settled it while this one waited for the lock.
    const payment = (await findAttempt(ctx, provider, paid.attemptNo)) ?? found
    const problem = findProblem(payment, paid)
    if (problem) return record(ctx, payment, 'refused', problem)
    if (payment.transaction_id !== '') return record(ctx, payment, 'repeated', '')
    await markPaid(ctx, payment, paid)
    const isRight = payment.money === paid.fen
    const paidAt = paid.paidAt ?? ctx.now()
    if (isRight && (await settle(ctx, { orderId: payment.order_id, method: payment.method, paidAt })))
      return record(ctx, payment, 'settled', '')
    await flagSurplus(ctx, payment)
    return record(ctx, payment, 'surplus', isRight ? '' : `应付 ${payment.money} 分，实付 ${paid.fen} 分`)
  })
}

function findAttempt({ db }: Ctx, provider: PayProviderName, attemptNo: string): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('attempt_no', '=', attemptNo)
    .where('provider', '=', provider)
    .executeTakeFirst()
}

/** Why a payment is none for this attempt, in words for staff. */
function findProblem(payment: PaymentRow, paid: PaymentState): string | undefined {
  if (paid.merchant !== payment.merchant) return `收款方是 ${paid.merchant}，不是 ${payment.merchant}`
  if (paid.currency !== 'CNY') return `币种是 ${paid.currency}`
  if (payment.transaction_id !== '' && payment.transaction_id !== paid.transactionId)
    return `另一笔交易 ${paid.transactionId}，已有 ${payment.transaction_id}`
  return undefined
}

async function markPaid({ db, now }: Ctx, { id }: PaymentRow, paid: PaymentState): Promise<void> {
  await db
    .updateTable('payment')
    .set({
      state: 'paid',
      transaction_id: paid.transactionId,
      money: paid.fen,
      paid_at: paid.paidAt ?? now(),
      ask_at: null,
      updated_at: now(),
    })
    .where('id', '=', id)
    .execute()
}

async function flagSurplus({ db, now }: Ctx, { id, order_id }: PaymentRow): Promise<void> {
  await db.updateTable('payment').set({ state: 'surplus', updated_at: now() }).where('id', '=', id).execute()
  await db.updateTable('order').set({ has_surplus: 1, updated_at: now() }).where('id', '=', order_id).execute()
}

async function record<O extends NoticeOutcome>(
  { db, now }: Ctx,
  { id, provider, attempt_no }: PaymentRow,
  outcome: O,
  detail: string,
): Promise<O> {
  await db
    .insertInto('payment_notice')
    .values({ payment_id: id, provider, attempt_no, outcome, detail, created_at: now() })
    .execute()
  return outcome
}
