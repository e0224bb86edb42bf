import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { formatYuan } from '#shared/prices.ts'

type PaidOrder = Pick<Order, 'status' | 'order_type' | 'payment_type' | 'amount' | 'money'>

/** What was paid, in what it was paid with; what is to be paid while it is not. */
export function paidText(order: PaidOrder, creditName: string): string {
  const { status, order_type, amount, money } = order
  const [yuan, credits] = [`¥${formatYuan(money)}`, `${amount} ${creditName}`]
  if (status === OrderStatus.Paid) return isPaidWithMoney(order) ? yuan : creditsPaid(order, credits)
  if (order_type === OrderType.TopUp) return yuan
  return money > 0 ? `${credits} 或 ${yuan}` : credits
}

const withoutMoney = new Set<number>([
  PaymentMethod.Credits,
  PaymentMethod.SystemTopUp,
  PaymentMethod.DownloadCode,
  PaymentMethod.Advertisement,
])

function isPaidWithMoney({ payment_type }: PaidOrder): boolean {
  return !withoutMoney.has(payment_type)
}

/** A download code or staff pay for the buyer. */
function creditsPaid({ payment_type }: PaidOrder, credits: string): string {
  return payment_type === PaymentMethod.Credits ? credits : '¥0.00'
}
