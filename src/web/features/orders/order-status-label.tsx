import type { OrderState } from '#web/features/orders/order-state.ts'
import { cx } from '#web/ui/class-names.ts'

/** The state of an order in a word. */
export function OrderStatusLabel({ state }: { state: OrderState }) {
  const { title, style } = labels[state]
  return <span className={cx('rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap', style)}>{title}</span>
}

const labels: Record<OrderState, { title: string; style: string }> = {
  pending: { title: '待支付', style: 'bg-warning-soft text-warning' },
  claimed: { title: '等待确认收款', style: 'bg-warning-soft text-warning' },
  paid: { title: '已支付', style: 'bg-accent-soft text-accent' },
  refunded: { title: '已退款', style: 'bg-sunken text-muted' },
  late: { title: '已付款，待处理', style: 'bg-danger-soft text-danger' },
  expired: { title: '已过期', style: 'bg-sunken text-muted' },
  closed: { title: '已关闭', style: 'bg-sunken text-muted' },
}
