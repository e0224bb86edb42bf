import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { OrderType, PaymentMethod, paymentMethodLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import type { MemberCtx } from '#server/context.ts'
import type { PayInstruction } from '#server/gateways/pay/pay-provider.ts'
import { findBalance } from '#server/modules/downloads/eligibility.ts'
import { getOwnOrder, isPending } from '#server/modules/orders/orders.queries.ts'
import { toPayClient } from './pay-client.ts'
import { payWithCode } from './pay-with-code.ts'
import { payWithCredits } from './pay-with-credits.ts'
import { payWithProvider } from './pay-with-provider.ts'
import { payWithWeChat } from './pay-with-wechat.ts'
import { findProvider, providerOf } from './providers.ts'

/** What the buyer is told who pays outside the site, for the methods that staff confirm. */
export const offlineMethods: Partial<Record<PaymentMethod, (pay: Settings['pay']) => { isOn: boolean; text: string }>> =
  {
    [PaymentMethod.BankCard]: (pay) => ({ isOn: pay.enable_bank_card, text: pay.bank_card_text }),
    [PaymentMethod.Cash]: (pay) => ({ isOn: pay.enable_cash, text: pay.cash_text }),
    [PaymentMethod.Other]: (pay) => ({ isOn: pay.enable_other, text: pay.other_text }),
  }

const shownMethods = [
  PaymentMethod.WeChatPay,
  PaymentMethod.Alipay,
  PaymentMethod.ThirdParty,
  PaymentMethod.Credits,
  PaymentMethod.DownloadCode,
  PaymentMethod.BankCard,
  PaymentMethod.Cash,
  PaymentMethod.Other,
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
  const name = providerOf[method]
  const provider = name && findProvider(ctx, name)
  if (provider) {
    const client = toPayClient(ctx.origin.userAgent)
    return { extra: toExtra(await payWithProvider(ctx, order.id, { method, provider, client })) }
  }
  const offline = offlineMethods[method]?.(ctx.settings.pay)
  if (!offline?.isOn) throw errors.orders.methodDenied()
  return { extra: { kind: 'offline', content: '', text: offline.text } }
}

/** What the order can be paid with, in the order in which it is offered. */
export async function listMethods(
  ctx: MemberCtx,
  { order_no }: Input<typeof orders.methods>,
): Promise<Reply<typeof orders.methods>> {
  const order = await getOwnOrder(ctx, order_no)
  const method = shownMethods.flatMap((payment_type) => {
    const isTrial = payment_type === PaymentMethod.Other && ctx.settings.pay.test_mode
    const title = isTrial ? '试运行付款' : paymentMethodLabels[payment_type]
    return isOffered(ctx, order.type, payment_type) ? [{ payment_type, title, is_trial: isTrial }] : []
  })
  return { balance: await findBalance(ctx), method }
}

function isOffered(ctx: MemberCtx, type: OrderType, method: PaymentMethod): boolean {
  if (method === PaymentMethod.Credits) return type !== OrderType.TopUp
  if (method === PaymentMethod.DownloadCode)
    return type === OrderType.Document && ctx.settings.download.enable_code_download
  const provider = providerOf[method]
  if (provider && findProvider(ctx, provider)) return true
  return offlineMethods[method]?.(ctx.settings.pay).isOn ?? false
}

function toExtra(instruction: PayInstruction): Reply<typeof orders.pay>['extra'] {
  if (instruction.kind === 'qrcode') return { kind: 'qrcode', content: instruction.content, text: '' }
  if (instruction.kind === 'redirect') return { kind: 'redirect', content: instruction.url, text: '' }
  // The mini program takes them from here.
  const { parameters } = instruction
  return { kind: 'jsapi', content: '', text: '', parameters, ...parameters }
}
