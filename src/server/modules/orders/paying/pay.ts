import { creditName } from '#shared/credit-name.ts'
import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { isWayOffered } from '#shared/pay-problems.ts'
import { methodIcon, methodTitle, paymentMethods } from '#shared/payment-methods.ts'
import type { Settings } from '#shared/settings.ts'
import type { MemberCtx } from '#server/context.ts'
import type { PayInstruction } from '#server/gateways/pay/pay-provider.ts'
import { mayTryPaying } from '#server/modules/access/access.policy.ts'
import { findBalance } from '#server/modules/downloads/eligibility.ts'
import { getOwnOrder, isPending } from '#server/modules/orders/orders.queries.ts'
import { toPayClient } from './pay-client.ts'
import { payWithCode } from './pay-with-code.ts'
import { payWithCredits } from './pay-with-credits.ts'
import { payWithProvider } from './pay-with-provider.ts'
import { payWithWeChat } from './pay-with-wechat.ts'
import { findProvider } from './providers.ts'
import { settleOrThrow } from './settle.ts'

/** Whether a method that staff confirm is on, and says what buyers need. */
export function isOfflineOffered(settings: Settings, method: PaymentMethod): boolean {
  const { offline } = paymentMethods[method]
  return offline !== undefined && isWayOffered(settings, offline)
}

/** Payment methods in the order in which they are offered. */
const shownMethods = [
  PaymentMethod.WeChatPay,
  PaymentMethod.Alipay,
  PaymentMethod.ThirdParty,
  PaymentMethod.Credits,
  PaymentMethod.DownloadCode,
  PaymentMethod.BankCard,
  PaymentMethod.Cash,
  PaymentMethod.Other,
  PaymentMethod.Trial,
] as const

export async function payOrder(
  ctx: MemberCtx,
  { order_no, payment_type: method, minicode, downcode, wechat_code: wechatCode }: Input<typeof orders.pay>,
): Promise<Reply<typeof orders.pay>> {
  const order = await getOwnOrder(ctx, order_no)
  if (!isPending(order, ctx.now())) throw errors.orders.notPending()
  if (method === PaymentMethod.Credits) {
    await payWithCredits(ctx, order.id)
    return {}
  }
  if (method === PaymentMethod.DownloadCode) {
    await payWithCode(ctx, order, downcode)
    return {}
  }
  if (method === PaymentMethod.WeChatPay) {
    return { extra: toExtra(await payWithWeChat(ctx, order, { minicode, wechatCode })) }
  }
  if (method === PaymentMethod.Trial) {
    await payByTrial(ctx, order.id)
    return {}
  }
  const { provider: name, offline } = paymentMethods[method]
  const provider = name && findProvider(ctx, name)
  if (provider) {
    const client = toPayClient(ctx.origin.userAgent)
    return { extra: toExtra(await payWithProvider(ctx, order.id, { method, provider, client })) }
  }
  if (!offline || !isOfflineOffered(ctx.settings, method)) throw errors.orders.methodDenied()
  return { extra: { kind: 'offline', content: '', text: ctx.settings.pay[`${offline}_text`] } }
}

/** Nothing is paid: the order is settled as if it were. */
async function payByTrial(ctx: MemberCtx, orderId: number): Promise<void> {
  if (!mayTryPaying(ctx)) throw errors.orders.methodDenied()
  await settleOrThrow(ctx, { orderId, method: PaymentMethod.Trial })
}

/** What the order can be paid with, in the order in which it is offered. */
export async function listMethods(
  ctx: MemberCtx,
  { order_no }: Input<typeof orders.methods>,
): Promise<Reply<typeof orders.methods>> {
  const order = await getOwnOrder(ctx, order_no)
  const method = shownMethods.flatMap((payment_type) => {
    if (!isOffered(ctx, order.type, payment_type)) return []
    const { pay } = ctx.settings
    const title = methodTitle(payment_type, pay, creditName(ctx.settings))
    const icon = methodIcon(payment_type, pay)
    return [{ payment_type, title, icon, is_trial: payment_type === PaymentMethod.Trial }]
  })
  const balance = await findBalance(ctx)
  const isFirst = ({ payment_type }: { payment_type: PaymentMethod }) =>
    payment_type === PaymentMethod.Credits && balance >= order.amount
  return { balance, method: [...method.filter(isFirst), ...method.filter((one) => !isFirst(one))] }
}

function isOffered(ctx: MemberCtx, type: OrderType, method: PaymentMethod): boolean {
  if (method === PaymentMethod.Credits) return type !== OrderType.TopUp
  if (method === PaymentMethod.DownloadCode)
    return type === OrderType.Document && ctx.settings.download.enable_code_download
  if (method === PaymentMethod.Trial) return mayTryPaying(ctx)
  const { provider } = paymentMethods[method]
  return provider ? isWayOffered(ctx.settings, provider) : isOfflineOffered(ctx.settings, method)
}

function toExtra(instruction: PayInstruction): Reply<typeof orders.pay>['extra'] {
  if (instruction.kind === 'qrcode') return { kind: 'qrcode', content: instruction.content, text: '' }
  if (instruction.kind === 'redirect') return { kind: 'redirect', content: instruction.url, text: '' }
  // The mini program takes them from here.
  const { parameters } = instruction
  return { kind: 'jsapi', content: '', text: '', parameters, ...parameters }
}
