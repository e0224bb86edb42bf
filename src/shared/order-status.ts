import { OrderStatus } from './enums.ts'

/** The state machine of an order: which event leads from which state to which. */

export type OrderEvent = 'pay' | 'close' | 'grant'

const { Pending, Paid, Closed } = OrderStatus

const transitions: Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>> = {
  [Pending]: { pay: Paid, close: Closed },
  [Paid]: {},
  // Staff grant what was paid too late.
  [Closed]: { grant: Paid },
}

/** Undefined when the state has no such transition. */
export function nextOrderStatus(from: OrderStatus, event: OrderEvent): OrderStatus | undefined {
  return transitions[from][event]
}
