import { createHash } from 'node:crypto'
import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { creditName } from '#shared/credit-name.ts'
import { errors } from '#shared/errors.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { givenBack } from '#shared/order-texts.ts'
import { isMoneyMethod, notifyPath, type PayProviderName } from '#shared/payment-methods.ts'
import { formatYuan } from '#shared/prices.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { PayProviderError, type RefundState } from '#server/gateways/pay/pay-provider.ts'
import { enqueue } from '#server/jobs.ts'
import { assertNoOwnGain } from '#server/modules/access/access.policy.ts'
import { publishHandling } from '#server/modules/orders/handled.ts'
import {
  findPayments,
  lockOrder,
  type OrderRow,
  type PaymentRow,
  receivedMoney,
} from '#server/modules/orders/orders.queries.ts'
import { cancelOutlay, recordOutlay, toFen } from '#server/modules/outlays/outlays.ts'
import { getProvider } from '#server/modules/orders/paying/providers.ts'
import { takeBack, type TakenBack } from './take-back.ts'

/** When a refund is asked about, if the provider has not answered. */
const askMs = 60_000
const maxAskMs = 6 * 3_600_000

/**
 * Refunds an order, or a payment that could not be granted. What goes back is reserved first, so that two refunds never give
 * back more than was paid; what was granted is taken back when the provider says that it is done.
 */
export async function refundOrder(
  ctx: MemberCtx,
  input: Input<typeof orders.refund>,
): Promise<Reply<typeof orders.refund>> {
  const refundNo = toRefundNo(input)
  const isFirst = await transaction(ctx, async (ctx) => {
    const isNew = await reserve(ctx, refundNo, input)
    // In the same transaction: the provider must never be asked for what went back already.
    if (isNew && input.is_outside) await followRefund(ctx, refundNo, { state: 'done', message: '已在支付平台退款' })
    return isNew
  })
  await requestRefund(ctx, refundNo, { isFirst })
  const { state, answer } = await getRefund(ctx, refundNo)
  return { state, message: answer }
}

/** Asks for a refund at its provider; may be repeated until there is an answer. */
async function requestRefund(ctx: Ctx, refundNo: string, { isFirst = false } = {}): Promise<void> {
  const refund = await getRefund(ctx, refundNo)
  if (refund.state !== 'processing') return
  const payment = await findPayment(ctx, refund.payment_id)
  if (!payment) {
    await followRefund(ctx, refundNo, { state: 'done', message: '' })
    return
  }
  const answer = await askProvider(ctx, payment, refund, isFirst)
  await followRefund(ctx, refundNo, answer)
}

/** A refund without an answer yet. One that the provider does not know was never asked for. */
export async function askAboutRefund(ctx: Ctx, refundId: number): Promise<void> {
  const refund = await ctx.db.selectFrom('refund').selectAll().where('id', '=', refundId).executeTakeFirst()
  if (refund?.state !== 'processing') return
  await requestRefund(ctx, refund.refund_no)
  const { state } = await getRefund(ctx, refund.refund_no)
  const delay = Math.min(askMs * 2 ** Math.min(10, Math.floor((ctx.now() - refund.created_at) / askMs)), maxAskMs)
  if (state === 'processing')
    await enqueue(ctx, 'orders.ask-refund', { refund: refundId }, { runAt: ctx.now() + delay })
}

/** Follows what the provider says about a refund; false if it is none of ours. */
export function followRefund(ctx: Ctx, refundNo: string, { state, message }: RefundState): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const { db, now } = ctx
    const found = await db.selectFrom('refund').select('order_id').where('refund_no', '=', refundNo).executeTakeFirst()
    if (!found) return false
    const order = await lockOrder(ctx, found.order_id)
    const refund = await getRefund(ctx, refundNo)
    if (refund.state !== 'processing') return true
    const isOver = state === 'done' || state === 'refused'
    const taken = state === 'done' ? await takeBack(ctx, order, refund) : undefined
    if (state === 'refused') {
      await release(ctx, order, refund)
      await cancelOutlay(ctx, 'refund', refundNo)
    }
    await db
      .updateTable('refund')
      .set({
        state: isOver ? state : 'processing',
        answer: message || describeCode(ctx, taken?.code),
        taken_credits: taken?.credits ?? 0,
        missing_credits: taken?.missing ?? 0,
        updated_at: now(),
      })
      .where('id', '=', refund.id)
      .execute()
    if (taken) await tellBuyer(ctx, order, refund, taken)
    return true
  })
}

type Refund = Awaited<ReturnType<typeof getRefund>>

/** The buyer is told separately what goes back and what is withdrawn: where nothing was paid, nothing goes back. */
function tellBuyer(ctx: Ctx, order: OrderRow, refund: Refund, { taken, credits, code }: TakenBack): Promise<void> {
  const back = refund.payment_id > 0 ? 'money' : givenBack(order.payment_method ?? 0)
  const ways = {
    money: refund.payment_id > 0 ? 'provider' : 'by-hand',
    credits: 'balance',
    nothing: undefined,
  } as const
  return publishHandling(ctx, {
    key: `refund:${refund.id}`,
    order: order.id,
    outcome: back === 'nothing' ? 'withdrawn' : 'refunded',
    reason: refund.reason,
    money: back === 'money' ? refund.money : 0,
    credits: back === 'credits' ? refund.credits : 0,
    way: ways[back],
    taken,
    ...(taken === 'credits' && { taken_credits: credits }),
    code,
  })
}

/** The outcome for the download code, in words for staff. */
function describeCode({ settings }: Ctx, code: TakenBack['code']): string {
  if (code === 'usable') return '下载码恢复为未使用，可以再次使用'
  if (code === 'unusable') return '下载码恢复为未使用，但已经过期、作废或停用'
  return code === 'kept' ? `换得的${creditName(settings)}已经花掉一部分，下载码不能再用` : ''
}

/** False if the same request was made before. */
async function reserve(
  ctx: MemberCtx,
  refundNo: string,
  { id, payment_id, amount, reason }: Input<typeof orders.refund>,
): Promise<boolean> {
  const { db, now, viewer } = ctx
  const order = await lockOrder(ctx, id)
  await assertNoOwnGain(ctx, [order.user_id])
  if (await db.selectFrom('refund').select('id').where('refund_no', '=', refundNo).executeTakeFirst()) {
    ctx.audit?.({ isRepeated: true })
    return false
  }
  const earlier = await db.selectFrom('refund').selectAll().where('order_id', '=', id).execute()
  if (earlier.some(({ state }) => state === 'processing')) throw errors.orders.refundRunning()
  const payment = await choosePayment(ctx, order, payment_id)
  const isMoney = payment !== undefined || isMoneyMethod(order.payment_method ?? 0)
  const total = payment?.money ?? (isMoney ? receivedMoney(order) : order.amount)
  const back = earlier
    .filter((refund) => refund.state === 'done' && refund.payment_id === (payment?.id ?? 0))
    .reduce((sum, refund) => sum + (isMoney ? refund.money : refund.credits), 0)
  if (amount > total - back) throw errors.orders.refundTooMuch()
  // Half a document cannot be withdrawn, and there is nothing else to give back.
  const isWholeOnly = !isMoney && order.payment_method !== PaymentMethod.Credits && order.type !== OrderType.TopUp
  if (isWholeOnly && amount < total - back) throw errors.orders.withdrawnWhole()
  const values = isMoney ? { money: amount, credits: 0 } : { money: 0, credits: amount }
  const isCredits = order.payment_method === PaymentMethod.Credits
  const isRefund = isMoney || isCredits
  const what = isMoney ? `退款 ${formatYuan(amount)} 元` : describeCredits(ctx, order, amount)
  const title = `订单 ${order.order_no}（${order.product_name}）${what}：${reason}`
  const fen = isMoney ? amount : toFen(ctx, isCredits ? amount : 0)
  await recordOutlay(ctx, { act: 'refund', fen, title, reference: refundNo })
  const row = await db
    .insertInto('refund')
    .values({
      order_id: id,
      payment_id: payment?.id ?? 0,
      refund_no: refundNo,
      ...values,
      state: 'processing',
      reason,
      user_id: viewer.id,
      created_at: now(),
      updated_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (payment?.state !== 'surplus')
    await db
      .updateTable('order')
      .set((eb) => ({
        refunded_money: eb('refunded_money', '+', values.money),
        refunded_credits: eb('refunded_credits', '+', values.credits),
        updated_at: now(),
      }))
      .where('id', '=', id)
      .execute()
  await enqueue(ctx, 'orders.ask-refund', { refund: row.id }, { runAt: now() + askMs })
  const act = isRefund ? {} : { act: '撤回了：' }
  ctx.audit?.({ ids: [order.order_no], ...act, change: `${what}；原因：${reason}` })
  return true
}

/** What goes back of an order that was not settled with money, or what is withdrawn of it. */
function describeCredits(ctx: Ctx, { payment_method, type }: OrderRow, amount: number): string {
  const credits = `${amount} ${creditName(ctx.settings)}`
  if (payment_method === PaymentMethod.Credits) return `退回 ${credits}`
  const things = { [OrderType.TopUp]: credits, [OrderType.Document]: '文档', [OrderType.Vip]: 'VIP 卡' }
  return `收回 ${things[type]}`
}

/** The attempt whose money goes back; undefined for an order without one. */
async function choosePayment(ctx: Ctx, order: OrderRow, paymentId: number): Promise<PaymentRow | undefined> {
  const paid = (await findPayments(ctx, order.id)).filter(({ state }) => state === 'paid' || state === 'surplus')
  if (paymentId > 0) {
    const chosen = paid.find(({ id }) => id === paymentId)
    if (!chosen) throw errors.orders.notRefundable()
    return chosen
  }
  const own = paid.find(({ state }) => state === 'paid')
  if (!own && order.paid_at === null) throw errors.orders.notRefundable()
  return own
}

/** A request that failed says nothing about earlier ones, whose answers may have been lost: only the first can be refused. */
async function askProvider(ctx: Ctx, payment: PaymentRow, refund: Refund, isFirst: boolean): Promise<RefundState> {
  try {
    return await getProvider(ctx, payment.provider as PayProviderName).refund({
      refundNo: refund.refund_no,
      attemptNo: payment.attempt_no,
      transactionId: payment.transaction_id,
      fen: refund.money,
      totalFen: payment.money,
      reason: refund.reason,
      notifyUrl: `${ctx.settings.system.domain}${notifyPath(payment.provider)}`,
    })
  } catch (error) {
    if (!(error instanceof PayProviderError)) throw error
    ctx.log.warn({ refund: refund.id, code: error.code, reason: error.message }, 'a refund was not accepted')
    return isFirst && !error.isTemporary
      ? { state: 'refused', message: error.message }
      : { state: 'processing', message: `还没有结果，稍后会再问（${error.message}）` }
  }
}

async function release({ db, now }: Ctx, order: OrderRow, refund: Refund): Promise<void> {
  const payment = refund.payment_id
    ? await db.selectFrom('payment').select('state').where('id', '=', refund.payment_id).executeTakeFirst()
    : undefined
  if (payment?.state === 'surplus') return
  await db
    .updateTable('order')
    .set((eb) => ({
      refunded_money: eb('refunded_money', '-', refund.money),
      refunded_credits: eb('refunded_credits', '-', refund.credits),
      updated_at: now(),
    }))
    .where('id', '=', order.id)
    .execute()
}

async function getRefund({ db }: Ctx, refundNo: string) {
  return db.selectFrom('refund').selectAll().where('refund_no', '=', refundNo).executeTakeFirstOrThrow()
}

function findPayment({ db }: Ctx, id: number): Promise<PaymentRow | undefined> {
  return db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The same request gives the same number, with which providers refund once. */
function toRefundNo({ id, key }: Input<typeof orders.refund>): string {
  return `R${createHash('sha256').update(`${id}:${key}`).digest('hex').slice(0, 30)}`
}
