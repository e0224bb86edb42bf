import type { PaymentMethod } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { notifyPath } from '#shared/payment-methods.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import {
  type PayClient,
  type PayInstruction,
  type PaymentRequest,
  type PayProvider,
  PayProviderError,
} from '#server/gateways/pay/pay-provider.ts'
import { enqueue } from '#server/jobs.ts'
import { askDelays } from './ask.ts'
import { createNumber } from '#server/modules/orders/order-numbers.ts'
import { isPending, lockOrder, type OrderRow } from '#server/modules/orders/orders.queries.ts'

/** Some links are good for five minutes only: after that the same attempt is begun again. */
const instructionMs = 4 * 60_000

/** As it is stored with the attempt. */
interface BegunPayment {
  at: number
  instruction: PayInstruction
}

interface ProviderPayment {
  method: PaymentMethod
  provider: PayProvider
  client: PayClient
  openid?: string
}

/**
 * Begins a payment. The attempt is stored before the provider is called, so that one whose beginning was interrupted is asked
 * about; the same attempt goes on when the buyer comes back or clicks twice.
 */
export async function payWithProvider(
  ctx: MemberCtx,
  orderId: number,
  { method, provider, client, openid }: ProviderPayment,
): Promise<PayInstruction> {
  const { order, attempt } = await transaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, orderId)
    if (!isPending(order, ctx.now())) throw errors.orders.notPending()
    return { order, attempt: await openAttempt(ctx, order, { method, provider, client }) }
  })
  const begun = attempt.instruction ? (JSON.parse(attempt.instruction) as BegunPayment) : undefined
  if (begun && begun.at > ctx.now() - instructionMs) return begun.instruction
  const origin = siteOrigin(ctx)
  const instruction = await begin(ctx, provider, {
    attemptNo: attempt.attempt_no,
    fen: order.money,
    title: order.product_name,
    expiresAt: order.expired_at,
    notifyUrl: `${origin}${notifyPath(provider.name)}`,
    returnUrl: returnUrlOf(ctx, order),
    client,
    ip: attempt.ip,
    ...(openid && { openid }),
  })
  await ctx.db
    .updateTable('payment')
    .set({ instruction: JSON.stringify({ at: ctx.now(), instruction } satisfies BegunPayment), updated_at: ctx.now() })
    .where('id', '=', attempt.id)
    .execute()
  return instruction
}

/** Where buyers come back to from a provider. */
export function returnUrlOf(ctx: MemberCtx, { order_no }: OrderRow): string {
  return `${siteOrigin(ctx)}/order?order_no=${order_no}`
}

async function openAttempt(
  ctx: MemberCtx,
  order: OrderRow,
  { method, provider, client }: Omit<ProviderPayment, 'openid'>,
): Promise<{ id: number; attempt_no: string; instruction: string; ip: string }> {
  const { db, now } = ctx
  const open = await db
    .selectFrom('payment')
    .select(['id', 'attempt_no', 'instruction', 'ip'])
    .where('order_id', '=', order.id)
    .where('provider', '=', provider.name)
    .where('merchant', '=', provider.merchant)
    .where('client', '=', client)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (open) return open
  const [delay] = askDelays
  const attempt = await db
    .insertInto('payment')
    .values({
      order_id: order.id,
      attempt_no: createNumber(now()),
      provider: provider.name,
      method,
      merchant: provider.merchant,
      client,
      ip: ctx.origin.ip,
      state: 'open',
      money: order.money,
      ask_at: now() + delay,
      created_at: now(),
      updated_at: now(),
    })
    .returning(['id', 'attempt_no', 'instruction', 'ip'])
    .executeTakeFirstOrThrow()
  await enqueue(ctx, 'orders.ask-payment', { payment: attempt.id }, { runAt: now() + delay })
  return attempt
}

/** What the provider refuses is the owner's business: it is in the log, and the test in the settings tells it too. */
async function begin(ctx: MemberCtx, provider: PayProvider, request: PaymentRequest): Promise<PayInstruction> {
  try {
    return await provider.create(request)
  } catch (error) {
    if (!(error instanceof PayProviderError)) throw error
    const { code, message: reason } = error
    ctx.log.error({ provider: provider.name, attemptNo: request.attemptNo, code, reason }, 'a payment did not begin')
    throw errors.orders.providerFailed()
  }
}

/** Providers send notices to a public address. */
function siteOrigin({ settings }: MemberCtx): string {
  if (!settings.system.domain) throw errors.orders.noDomain()
  return settings.system.domain
}
