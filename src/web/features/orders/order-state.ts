import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus } from '#shared/enums.ts'
import { type TakenBack, takenBack } from '#shared/order-texts.ts'

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
  | 'is_refunding'
>

/**
 * What the buyer is told about an order: `late` was paid after it was closed, `claimed` waits for staff, all of a `refunded` one
 * went back, all that a `withdrawn` one granted for nothing is gone, and an `expired` one may not have been closed by the
 * server yet.
 */
export type OrderState =
  | 'pending'
  | 'claimed'
  | 'paid'
  | 'refunding'
  | 'refunded'
  | 'withdrawn'
  | 'late'
  | 'expired'
  | 'closed'

const paidStates = {
  no: 'paid',
  partial: 'paid',
  running: 'refunding',
  refunded: 'refunded',
  withdrawn: 'withdrawn',
} as const satisfies Record<TakenBack, OrderState>

export function orderState(order: OrderFacts, now: number): OrderState {
  const { status, has_surplus, claimed_at, closed_at, expired_at } = order
  if (status === OrderStatus.Paid) return paidStates[takenBack(order)]
  if (has_surplus) return 'late'
  const end = expired_at ?? Infinity
  if (status === OrderStatus.Closed) return (closed_at ?? 0) >= end ? 'expired' : 'closed'
  if (claimed_at !== null) return 'claimed'
  return now >= end ? 'expired' : 'pending'
}

const [soonMs, laterMs] = [2000, 15_000]
/** For how long after its closing a payment may still arrive. */
const lateMs = 30 * 60_000

/** When to ask again whether the order is paid; undefined when nothing changes any more. */
export function nextPollMs(order: OrderFacts, { isVisible, now }: { isVisible: boolean; now: number }) {
  const state = orderState(order, now)
  if (state === 'refunding') return laterMs
  if (order.status === OrderStatus.Paid || state === 'late') return undefined
  if (order.status === OrderStatus.Closed) return now - (order.closed_at ?? 0) < lateMs ? laterMs : undefined
  return isVisible && state !== 'claimed' ? soonMs : laterMs
}
