import { PaymentMethod } from '#shared/enums.ts'
import type { OrderState } from '#web/features/orders/order-state.ts'
import { cx } from '#web/ui/class-names.ts'

interface OrderStatusLabelProps {
  order: { payment_type: number }
  state: OrderState
}

/** The state of an order in a word, and whether it was only tried out. */
export function OrderStatusLabel({ order: { payment_type }, state }: OrderStatusLabelProps) {
  const { title, style } = labels[state]
  return (
    <span className="flex shrink-0 flex-wrap gap-1.5">
      {payment_type === PaymentMethod.Trial && (
        <span className={cx(label, 'bg-warning-soft text-warning')}>试运行</span>
      )}
      <span className={cx(label, style)}>{title}</span>
    </span>
  )
}

const label = 'rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap'

const labels: Record<OrderState, { title: string; style: string }> = {
  pending: { title: '待支付', style: 'bg-warning-soft text-warning' },
  claimed: { title: '等待确认收款', style: 'bg-warning-soft text-warning' },
  paid: { title: '已支付', style: 'bg-accent-soft text-accent' },
  refunding: { title: '退款处理中', style: 'bg-warning-soft text-warning' },
  refunded: { title: '已退款', style: 'bg-sunken text-muted' },
  withdrawn: { title: '已撤回', style: 'bg-sunken text-muted' },
  late: { title: '已付款，待处理', style: 'bg-danger-soft text-danger' },
  expired: { title: '已过期', style: 'bg-sunken text-muted' },
  closed: { title: '已关闭', style: 'bg-sunken text-muted' },
}
