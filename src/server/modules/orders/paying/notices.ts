import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { notifyPath, payProviderNames } from '#shared/payment-methods.ts'
import type { Ctx } from '#server/context.ts'
import {
  InvalidNotice,
  type Notice,
  type NoticeAnswer,
  type PayProvider,
  type RawNotice,
} from '#server/gateways/pay/pay-provider.ts'
import { followRefund } from '#server/modules/orders/refunds/refund.ts'
import { getProvider } from './providers.ts'
import { settlePayment } from './settle.ts'

/** No notice is larger. */
const maxSize = 64 * 1024

/**
 * Where providers tell what was paid. Open at all times, without a session; the signature over the raw bytes decides. The
 * answer is sent after the commit: a provider that gets none tells it again.
 */
export function noticeRoutes({ contextOf }: { contextOf: () => Promise<Ctx> }): Hono {
  const routes = new Hono()
  for (const name of payProviderNames)
    routes.on(['GET', 'POST'], notifyPath(name), bodyLimit({ maxSize }), async ({ req, body }) => {
      const ctx = await contextOf()
      const bytes = new Uint8Array(await req.arrayBuffer())
      const query = new URL(req.url).search.slice(1)
      const notice = { method: req.method, query, headers: req.raw.headers, body: bytes }
      const answer = await handleNotice(ctx, getProvider(ctx, name), notice)
      return body(answer.body, { status: answer.status as 200, headers: { 'content-type': answer.type } })
    })
  return routes
}

async function handleNotice(ctx: Ctx, provider: PayProvider, raw: RawNotice): Promise<NoticeAnswer> {
  try {
    return provider.answerNotice(await follow(ctx, provider, await provider.readNotice(raw)))
  } catch (error) {
    const isForged = error instanceof InvalidNotice
    ctx.log[isForged ? 'warn' : 'error']({ provider: provider.name, error }, 'a notice of a payment was not accepted')
    return provider.answerNotice(false)
  }
}

/** Whether the provider need not tell it again. */
async function follow(ctx: Ctx, { name }: PayProvider, notice: Notice): Promise<boolean> {
  if (notice.kind === 'other') return true
  if (notice.kind === 'refund') return followRefund(ctx, notice.refundNo, notice.refund)
  const outcome = await settlePayment(ctx, name, notice.payment)
  ctx.log.info({ provider: name, attemptNo: notice.payment.attemptNo, outcome }, 'a notice of a payment')
  return outcome !== 'unknown' && outcome !== 'refused'
}
