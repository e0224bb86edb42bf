import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus } from '#shared/enums.ts'
import { isMoneyMethod } from '#shared/payment-methods.ts'

type OrderFacts = Pick<
  Order,
  | 'status'
  | 'has_surplus'
  | 'claimed_at'
  | 'closed_at'
  | 'expired_at'
  | 'payment_type'
  | 'amount'
  | 'received_money'
  | 'refunded_money'
  | 'refunded_credits'
>

/**
 * What the buyer is told about an order: `late` was paid after it was closed, `claimed` waits for staff, all of a `refunded` one
 * went back, and an `expired` one may not have been closed by the server yet.
 */
export type OrderState = 'pending' | 'claimed' | 'paid' | 'refunded' | 'late' | 'expired' | 'closed'

export function orderState(order: OrderFacts, now: number): OrderState {
  const { status, has_surplus, claimed_at, closed_at, expired_at } = order
  if (status === OrderStatus.Paid) return isRefunded(order) ? 'refunded' : 'paid'
  if (has_surplus) return 'late'
  const end = expired_at ?? Infinity
  if (status === OrderStatus.Closed) return (closed_at ?? 0) >= end ? 'expired' : 'closed'
  if (claimed_at !== null) return 'claimed'
  return now >= end ? 'expired' : 'pending'
}

function isRefunded({ payment_type, amount, received_money, refunded_money, refunded_credits }: OrderFacts): boolean {
  return isMoneyMethod(payment_type)
    ? received_money > 0 && refunded_money >= received_money
    : amount > 0 && refunded_credits >= amount
}

const [soonMs, laterMs] = [2000, 15_000]
/** For how long after its closing a payment may still arrive. */
const lateMs = 30 * 60_000

/** When to ask again whether the order is paid; undefined when nothing changes any more. */
export function nextPollMs(order: OrderFacts, { isVisible, now }: { isVisible: boolean; now: number }) {
  const state = orderState(order, now)
  if (state === 'paid' || state === 'refunded' || state === 'late') return undefined
  if (order.status === OrderStatus.Closed) return now - (order.closed_at ?? 0) < lateMs ? laterMs : undefined
  return isVisible && state !== 'claimed' ? soonMs : laterMs
}
