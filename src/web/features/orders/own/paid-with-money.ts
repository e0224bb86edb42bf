import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus, PaymentMethod } from '#shared/enums.ts'

const withoutMoney = new Set<number>([
  PaymentMethod.Credits,
  PaymentMethod.SystemTopUp,
  PaymentMethod.DownloadCode,
  PaymentMethod.Advertisement,
])

/** Whether the order was paid in yuan, not in credits or by staff. */
export function paidWithMoney({ status, payment_type }: Pick<Order, 'status' | 'payment_type'>): boolean {
  return status === OrderStatus.Paid && !withoutMoney.has(payment_type)
}
