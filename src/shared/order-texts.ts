import type { Order } from './contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from './enums.ts'
import { isMoneyMethod } from './payment-methods.ts'
import { creditsToFen, fenToCredits, formatYuan } from './prices.ts'

type PaidOrder = Pick<Order, 'status' | 'order_type' | 'payment_type' | 'amount' | 'money'>

/** What was paid, in what it was paid with; what is to be paid while it is not. */
export function paidText(order: PaidOrder, creditName: string): string {
  const { status, order_type, payment_type, amount, money } = order
  const [yuan, credits] = [`¥${formatYuan(money)}`, `${amount} ${creditName}`]
  if (status === OrderStatus.Paid) return isMoneyMethod(payment_type) ? yuan : creditsPaid(order, credits)
  if (order_type === OrderType.TopUp) return yuan
  if (money === 0) return credits
  // The price of a card is set in money, that of a document in credits.
  return (order_type === OrderType.Vip ? [yuan, credits] : [credits, yuan]).join(' 或 ')
}

/** A download code or staff pay for the buyer; in a trial nobody does. */
function creditsPaid({ payment_type }: PaidOrder, credits: string): string {
  if (payment_type === PaymentMethod.Trial) return '试运行，未收款'
  return payment_type === PaymentMethod.Credits ? credits : '¥0.00'
}

type RefundedOrder = Pick<Order, 'payment_type' | 'refunded_money' | 'refunded_credits'>

/** What went back to the buyer; empty if nothing did. */
export function refundedText(order: RefundedOrder, creditName: string): string {
  const { payment_type, refunded_money, refunded_credits } = order
  if (refunded_money > 0) return `¥${formatYuan(refunded_money)}`
  return payment_type === PaymentMethod.Credits && refunded_credits > 0 ? `${refunded_credits} ${creditName}` : ''
}

/** What an order is paid with in money, in yuan: nothing for one that was paid with credits, or for the buyer. */
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
