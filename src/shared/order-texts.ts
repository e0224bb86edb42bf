import type { Order } from './contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from './enums.ts'
import { isMoneyMethod } from './payment-methods.ts'
import { creditsToFen, fenToCredits, formatYuan } from './prices.ts'

type PaidOrder = Pick<Order, 'status' | 'order_type' | 'payment_type' | 'amount' | 'money' | 'received_money'>

/** The payment in its own means, such as money or credits; for an unpaid order, the sum to pay. */
export function paidText(order: PaidOrder, creditName: string): string {
  const { status, order_type, payment_type, amount, money, received_money } = order
  const [yuan, credits] = [`¥${formatYuan(money)}`, `${amount} ${creditName}`]
  if (status === OrderStatus.Paid)
    return isMoneyMethod(payment_type) ? `¥${formatYuan(received_money)}` : (paidForBuyer[payment_type] ?? credits)
  if (order_type === OrderType.TopUp) return yuan
  if (money === 0) return credits
  // The price of a card is set in money, that of a document in credits.
  return (order_type === OrderType.Vip ? [yuan, credits] : [credits, yuan]).join(' 或 ')
}

/** The words for methods that take neither money nor credits from the buyer. */
const paidForBuyer: Record<number, string | undefined> = {
  [PaymentMethod.DownloadCode]: '1 个下载码',
  [PaymentMethod.SystemTopUp]: '工作人员充值',
  [PaymentMethod.Advertisement]: '看广告所得',
  [PaymentMethod.Trial]: '未收款',
}

/** How a paid order was paid; empty for one that is not. */
export function methodText(
  { status, payment_type, payment_title }: Pick<Order, 'status' | 'payment_type' | 'payment_title'>,
  creditName: string,
): string {
  if (status !== OrderStatus.Paid) return ''
  return payment_type === PaymentMethod.Credits ? `${creditName}支付` : payment_title
}

/** The money above or below the sum due, as staff have counted it; empty where it was right. */
export function differenceText({
  money,
  received_money,
  payment_type,
}: Pick<Order, 'money' | 'received_money' | 'payment_type'>): string {
  if (!isMoneyMethod(payment_type) || received_money === money) return ''
  return `${received_money > money ? '多收' : '少收'} ¥${formatYuan(Math.abs(received_money - money))}`
}

/**
 * What a refund gives back to the buyer. For what was settled by a download code, by staff, for watching or on trial nothing
 * was paid: what was granted is withdrawn, and nothing goes back.
 */
export type GivenBack = 'money' | 'credits' | 'nothing'

export function givenBack(method: number): GivenBack {
  if (isMoneyMethod(method)) return 'money'
  return method === PaymentMethod.Credits ? 'credits' : 'nothing'
}

/** How far an order was taken back: `running` waits for the provider, and of a `partial` one the rest stays as it is. */
export type TakenBack = 'no' | 'running' | 'partial' | 'refunded' | 'withdrawn'

type TakenBackOrder = Pick<
  Order,
  'payment_type' | 'amount' | 'received_money' | 'refunded_money' | 'refunded_credits' | 'is_refunding'
>

export function takenBack(order: TakenBackOrder): TakenBack {
  const { payment_type, amount, received_money, refunded_money, refunded_credits, is_refunding } = order
  if (is_refunding) return 'running'
  const back = givenBack(payment_type)
  const [whole, part] = back === 'money' ? [received_money, refunded_money] : [amount, refunded_credits]
  if (part === 0) return 'no'
  if (part < whole) return 'partial'
  return back === 'nothing' ? 'withdrawn' : 'refunded'
}

type WithdrawnOrder = TakenBackOrder & Pick<Order, 'order_type' | 'withdrawn_credits'>

/** The part of the things granted that was withdrawn; empty if nothing was. */
export function withdrawnText(order: WithdrawnOrder, creditName: string): string {
  const { order_type, withdrawn_credits } = order
  if (order_type === OrderType.TopUp) return withdrawn_credits > 0 ? `${withdrawn_credits} ${creditName}` : ''
  const isWhole = ['refunded', 'withdrawn'].includes(takenBack(order))
  if (!isWhole) return ''
  return order_type === OrderType.Document ? '文档' : 'VIP 卡'
}

/** What was withdrawn, as a line of its own; empty if nothing was. */
export function withdrawnLine(order: WithdrawnOrder, creditName: string): string {
  const text = withdrawnText(order, creditName)
  return text && `已收回${/^[\dA-Z]/.test(text) ? ' ' : ''}${text}`
}

type RefundedOrder = Pick<Order, 'payment_type' | 'refunded_money' | 'refunded_credits'>

/** The money or credits that went back to the buyer; empty if nothing did. */
export function refundedText(order: RefundedOrder, creditName: string): string {
  const { payment_type, refunded_money, refunded_credits } = order
  if (refunded_money > 0) return `¥${formatYuan(refunded_money)}`
  return payment_type === PaymentMethod.Credits && refunded_credits > 0 ? `${refunded_credits} ${creditName}` : ''
}

/** The money that an order is paid with, in yuan: nothing for one that was paid with credits, or for the buyer. */
export function moneyText({ money, payment_type, status }: Pick<Order, 'money' | 'payment_type' | 'status'>): string {
  return status === OrderStatus.Paid && !isMoneyMethod(payment_type) ? '' : formatYuan(money)
}

type PricedOrder = Pick<Order, 'order_type' | 'payment_type' | 'price' | 'money'>

/** The price of what was bought: in money where it was set in money, unless credits were paid for it. */
export function priceText(order: PricedOrder, creditName: string): string {
  const { order_type, payment_type, price, money } = order
  const isInMoney = order_type !== OrderType.Document && money > 0 && payment_type !== PaymentMethod.Credits
  return isInMoney ? `¥${formatYuan(money)}` : `${price} ${creditName}`
}

/** Why a card costs more in credits than in money; empty where both are the same, or the rate has changed since. */
export function roundingText(
  order: Pick<Order, 'amount' | 'money'>,
  creditsPerYuan: number,
  creditName: string,
): string {
  const { amount, money } = order
  const isRounded = amount * 100 > money * creditsPerYuan && amount === fenToCredits(money, creditsPerYuan)
  return isRounded
    ? `${creditName}按 1 元 ${creditsPerYuan} 个折算，不足 1 个的按 1 个算：${amount} ${creditName}合 ${formatYuan(creditsToFen(amount, creditsPerYuan))} 元`
    : ''
}
