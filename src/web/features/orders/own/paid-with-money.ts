import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus } from '#shared/enums.ts'
import { isMoneyMethod } from '#shared/money-methods.ts'

/** Whether the order was paid in yuan, not in credits or by staff. */
export function paidWithMoney({ status, payment_type }: Pick<Order, 'status' | 'payment_type'>): boolean {
  return status === OrderStatus.Paid && isMoneyMethod(payment_type)
}
