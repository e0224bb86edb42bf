import type { Order } from '#shared/contract/orders.ts'

/** The owner's picture for how an order was paid; nothing for the ways that all know. */
export function MethodIcon({ order: { payment_icon } }: { order: Pick<Order, 'payment_icon'> }) {
  if (payment_icon === '') return null
  return <img src={payment_icon} alt="" className="mr-1 inline-block size-4 rounded-sm object-contain align-[-3px]" />
}
