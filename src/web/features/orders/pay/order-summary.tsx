import { Coins, Crown, FileText, type LucideIcon } from 'lucide-react'
import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, orderTypeLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { paidText, roundingText } from '#shared/order-texts.ts'
import { Card } from '#web/ui/card.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

/** What is bought, and for how much. */
export function OrderSummary({ order }: { order: Order }) {
  const creditName = useCreditName()
  const { order_type, product_name, product_href, price, amount, bonus, order_no, created_at } = order
  const { credit_exchange } = useSite().settings.system
  const rounding =
    order_type === OrderType.Vip && order.status === OrderStatus.Pending
      ? roundingText(order, credit_exchange, creditName)
      : ''
  const Icon = icons[order_type]
  const isPaid = order.status === OrderStatus.Paid
  const [mainPrice, ...otherPrice] = paidText(order, creditName).split(' 或 ')
  const facts: [string, string][] = [
    ...(price > amount ? [['原价', `${price} ${creditName}`] as [string, string]] : []),
    ...(price > amount ? [['优惠', `−${price - amount} ${creditName}`] as [string, string]] : []),
    ...(bonus > 0 ? [['另外赠送', `${bonus} ${creditName}`] as [string, string]] : []),
    ['订单号', order_no],
    ...(created_at === null ? [] : [['下单时间', formatTime(created_at)] as [string, string]]),
  ]
  return (
    <Card>
      <div className="flex items-start gap-3">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-md bg-accent-soft text-accent">
          <Icon size={20} aria-hidden />
        </span>
        <div className="min-w-0">
          <p className="text-sm text-muted">{orderTypeLabels[order_type]}</p>
          <SmartLink
            href={product_href}
            className="mt-0.5 line-clamp-3 font-medium wrap-anywhere [&[href]]:hover:text-accent"
          >
            {product_name}
          </SmartLink>
        </div>
      </div>
      <p className="mt-5 flex flex-wrap items-baseline gap-x-2.5 border-t border-line pt-4">
        <span className="text-sm text-muted">{isPaid ? '实付' : '应付'}</span>
        <span className="text-2xl font-semibold tabular-nums">{mainPrice}</span>
        {otherPrice.length > 0 && <span className="text-muted tabular-nums">或 {otherPrice.join('')}</span>}
      </p>
      {rounding && <p className="mt-1 text-sm text-muted tabular-nums">{rounding}</p>}
      <dl className="mt-3 space-y-1.5 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-3">
            <dt className="w-16 shrink-0 text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const icons: Record<OrderType, LucideIcon> = {
  [OrderType.Document]: FileText,
  [OrderType.Vip]: Crown,
  [OrderType.TopUp]: Coins,
}
