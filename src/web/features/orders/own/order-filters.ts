import { OrderStatus, orderStatusLabels } from '#shared/enums.ts'

/** The status filter of the member's orders, by the value in the address. */
export const orderStatusFilters: Record<string, { title: string; status: OrderStatus[] }> = {
  pending: { title: orderStatusLabels[OrderStatus.Pending], status: [OrderStatus.Pending] },
  paid: { title: orderStatusLabels[OrderStatus.Paid], status: [OrderStatus.Paid] },
  closed: { title: orderStatusLabels[OrderStatus.Closed], status: [OrderStatus.Closed] },
}
