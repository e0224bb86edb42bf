import type { PaymentMethod } from '#shared/enums.ts'
import { type AppError, errors } from '#shared/errors.ts'
import type { PayProviderName } from '#shared/payment-methods.ts'
import { nextOrderStatus, type OrderEvent } from '#shared/order-status.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { NoticeOutcome } from '#server/db/tables/orders.ts'
import type { PaymentState } from '#server/gateways/pay/pay-provider.ts'
import { enqueue } from '#server/jobs.ts'
import { publishHandling } from '#server/modules/orders/handled.ts'
import { grant, type GrantOutcome } from './grant.ts'
import { findPayments, lockOrder, type PaymentRow } from '#server/modules/orders/orders.queries.ts'

interface Settlement {
  orderId: number
  method: PaymentMethod
  /** `grant` is for what was paid after the order was closed, by staff. */
  event?: Extract<OrderEvent, 'pay' | 'grant'>
  paidAt?: number
  /** The money that staff have counted, if they did. */
  received?: number
}

/** `ended`: the order is not to be paid any more. */
type SettleOutcome = GrantOutcome | 'ended'
type SettleRefusal = Exclude<SettleOutcome, 'granted'>

const refusals: Record<SettleRefusal, () => AppError> = {
  ended: errors.orders.notPending,
  gone: errors.orders.productGone,
  bought: errors.orders.alreadyBought,
}

/** For what is paid at this moment: the caller's transaction is rolled back if the order cannot be settled. */
export async function settleOrThrow(
  ctx: Ctx,
  settlement: Settlement,
  others: Partial<typeof refusals> = {},
): Promise<void> {
  const outcome = await settle(ctx, settlement)
  if (outcome !== 'granted') throw { ...refusals, ...others }[outcome]()
}

/** The only way to a paid order: what was bought is granted in the same transaction, or nothing is changed. */
function settle(
  ctx: Ctx,
  { orderId, method, event = 'pay', paidAt = ctx.now(), received }: Settlement,
): Promise<SettleOutcome> {
  return transaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, orderId)
    const status = nextOrderStatus(order.status, event)
    if (status === undefined) return 'ended'
    const outcome = await grant(ctx, order, method)
    if (outcome !== 'granted') return outcome
    await ctx.db
      .updateTable('order')
      .set({
        status,
        payment_method: method,
        received_money: received ?? null,
        paid_at: paidAt,
        closed_at: null,
        claimed_at: null,
        pending_key: '',
        updated_at: ctx.now(),
      })
      .where('id', '=', order.id)
      .execute()
    const isBegunElsewhere = (await findPayments(ctx, order.id)).some(({ state }) => state === 'open')
    if (isBegunElsewhere) await enqueue(ctx, 'orders.end-attempts', { order: order.id })
    return outcome
  })
}

/** `unknown`: no attempt of ours; `unpaid`: there is nothing to settle yet. */
export type PaymentOutcome = NoticeOutcome | 'unknown' | 'unpaid'

/**
 * Settles what a provider says was paid, once for each of its transactions. Money that cannot be granted (the order is
 * closed, paid already, for a document that the buyer has, or another amount was paid) is never dropped: it is flagged for
 * staff, and the buyer sees it. A notice about another merchant's account is refused; what the provider answers when it is
 * asked about our own attempt (`isAsked`) is money that came, whatever was entered in the settings since.
 */
export function settlePayment(
  ctx: Ctx,
  provider: PayProviderName,
  paid: PaymentState,
  { isAsked = false } = {},
): Promise<PaymentOutcome> {
  return transaction(ctx, async (ctx) => {
    const found = await findAttempt(ctx, provider, paid.attemptNo)
    if (!found) return 'unknown'
    if (paid.state !== 'paid') return 'unpaid'
    await lockOrder(ctx, found.order_id)
    // Read again: another notice may have settled it while this one waited for the lock.
    const payment = (await findAttempt(ctx, provider, paid.attemptNo)) ?? found
    const problem = findProblem(payment, paid)
    if (problem && !(isAsked && payment.transaction_id === '')) return record(ctx, payment, 'refused', problem)
    if (payment.transaction_id !== '') return record(ctx, payment, 'repeated', '')
    await markPaid(ctx, payment, paid)
    const surplus = problem ?? (await settleInFull(ctx, payment, paid))
    if (surplus === undefined) return record(ctx, payment, 'settled', '')
    await flagSurplus(ctx, { ...payment, money: paid.fen })
    return record(ctx, payment, 'surplus', surplus)
  })
}

/** Why the money is left over, in words for staff; undefined if the order is settled with it. */
async function settleInFull(ctx: Ctx, payment: PaymentRow, paid: PaymentState): Promise<string | undefined> {
  if (payment.money !== paid.fen) return `应付 ${payment.money} 分，实付 ${paid.fen} 分`
  const { order_id: orderId, method } = payment
  const outcome = await settle(ctx, { orderId, method, paidAt: paid.paidAt ?? ctx.now() })
  return outcome === 'granted' ? undefined : surplusReasons[outcome]
}

const surplusReasons: Record<SettleRefusal, string> = {
  ended: '订单已经支付或关闭',
  gone: '要买的东西已经不存在',
  bought: '买家已经有这份文档',
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

async function flagSurplus(ctx: Ctx, { id, order_id, money }: PaymentRow): Promise<void> {
  const { db, now } = ctx
  await db.updateTable('payment').set({ state: 'surplus', updated_at: now() }).where('id', '=', id).execute()
  // The buyer may have removed the order from the list.
  const flag = { has_surplus: 1, is_hidden: 0, updated_at: now() } as const
  await db.updateTable('order').set(flag).where('id', '=', order_id).execute()
  await publishHandling(ctx, { key: `surplus:${id}`, order: order_id, outcome: 'surplus', money })
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
