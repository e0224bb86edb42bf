import type { orders } from '#shared/contract/orders.ts'
import type { Input } from '#shared/endpoint.ts'
import type { PayProviderName } from '#shared/payment-methods.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { PayProviderError, type PaymentState } from '#server/gateways/pay/pay-provider.ts'
import { enqueue } from '#server/jobs.ts'
import type { PaymentRowState } from '#server/db/tables/orders.ts'
import { findPayments, getOwnOrder } from '#server/modules/orders/orders.queries.ts'
import { getProvider } from './providers.ts'
import { settlePayment } from './settle.ts'

const [second, minute] = [1000, 60_000]

/** A notice may be lost: how long after each question an open attempt is asked about again. */
export const askDelays = [5 * second, 10 * second, 30 * second, minute, 5 * minute, 10 * minute] as const

/** When a closed attempt is asked about for the last time. */
export const lastAskMs = 10 * minute

/** A buyer who reloads the page does not make us ask faster than this. */
const restMs = 3 * second

/** The buyer is back from the provider, and is not believed: it is asked now, and not when the schedule comes to it. */
export async function checkOrder(ctx: MemberCtx, { order_no }: Input<typeof orders.check>): Promise<void> {
  const { id } = await getOwnOrder(ctx, order_no)
  const open = (await findPayments(ctx, id)).filter(({ state }) => state === 'open')
  for (const { id: payment, updated_at } of open) {
    const runAt = Math.max(ctx.now(), updated_at + restMs)
    await enqueue(ctx, 'orders.ask-payment', { payment }, { runAt })
  }
}

/** Asks the provider about an attempt, settles it if it was paid, and asks again later if not. */
export async function askAboutPayment(ctx: Ctx, paymentId: number): Promise<void> {
  const payment = await ctx.db
    .selectFrom('payment')
    .innerJoin('order', 'order.id', 'payment.order_id')
    .select(['payment.id', 'payment.provider', 'payment.attempt_no', 'payment.state', 'payment.asked_count'])
    .select(['order.expired_at', 'order.paid_at', 'order.closed_at'])
    .where('payment.id', '=', paymentId)
    .executeTakeFirst()
  if (!payment || payment.state === 'paid' || payment.state === 'surplus') return
  const answer = await ask(ctx, payment.provider as PayProviderName, payment.attempt_no)
  if (answer?.state === 'paid') {
    await settlePayment(ctx, payment.provider as PayProviderName, answer, { isAsked: true })
    return
  }
  const asked = payment.asked_count + 1
  const runAt = nextQuestion(payment, ctx.now(), asked)
  await ctx.db
    .updateTable('payment')
    .set({ asked_count: asked, ask_at: runAt ?? null, updated_at: ctx.now() })
    .where('id', '=', payment.id)
    .execute()
  if (runAt) await enqueue(ctx, 'orders.ask-payment', { payment: payment.id }, { runAt })
}

interface AttemptTimes {
  state: PaymentRowState
  expired_at: number
  paid_at: number | null
  closed_at: number | null
}

/** An open attempt is asked about until the order expires, which asks too; a closed one a last time, a while later. */
function nextQuestion(payment: AttemptTimes, now: number, asked: number): number | undefined {
  if (payment.state === 'closed') {
    const last = (payment.closed_at ?? payment.paid_at ?? payment.expired_at) + lastAskMs
    return last > now ? last : undefined
  }
  const next = now + (askDelays[Math.min(asked, askDelays.length - 1)] ?? minute)
  return next > payment.expired_at ? undefined : next
}

/** Undefined if the provider cannot be reached, or does not know. */
async function ask(ctx: Ctx, provider: PayProviderName, attemptNo: string): Promise<PaymentState | undefined> {
  try {
    return await getProvider(ctx, provider).query(attemptNo)
  } catch (error) {
    if (!(error instanceof PayProviderError)) throw error
    ctx.log.warn({ provider, attemptNo, code: error.code, reason: error.message }, 'a payment could not be asked about')
    return undefined
  }
}
