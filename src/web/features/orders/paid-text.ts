import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { isMoneyMethod } from '#shared/money-methods.ts'
import { formatYuan } from '#shared/prices.ts'

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

/** A download code or staff pay for the buyer. */
function creditsPaid({ payment_type }: PaidOrder, credits: string): string {
  return payment_type === PaymentMethod.Credits ? credits : '¥0.00'
}

type RefundedOrder = Pick<Order, 'payment_type' | 'refunded_money' | 'refunded_credits'>

/** What went back to the buyer; empty if nothing did. */
export function refundedText(order: RefundedOrder, creditName: string): string {
  const { payment_type, refunded_money, refunded_credits } = order
  if (refunded_money > 0) return `¥${formatYuan(refunded_money)}`
  return payment_type === PaymentMethod.Credits && refunded_credits > 0 ? `${refunded_credits} ${creditName}` : ''
}
