import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, orderTypeLabels, PaymentMethod } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { orderPath } from '#web/domain/orders.ts'
import { isMoneyMethod } from '#shared/payment-methods.ts'
import { formatYuan } from '#shared/prices.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { CloseOrderButton } from '#web/features/orders/close-order-button.tsx'
import { MethodIcon } from '#web/features/orders/method-icon.tsx'
import { orderState } from '#web/features/orders/order-state.ts'
import { CopyNumber } from '#web/features/orders/own/copy-number.tsx'
import { OrderStatusLabel } from '#web/features/orders/order-status-label.tsx'
import { differenceText, methodText, paidText, priceText, refundedText, withdrawnText } from '#shared/order-texts.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

interface ReceiptProps {
  order: Order
  buyer: string
  now: number
  /** Downloads the document that was bought. */
  download: ReactNode
}

/** An order as on paper; printed without what is around it. */
export function Receipt({ order, buyer, now, download }: ReceiptProps) {
  const { system } = useSite().settings
  const creditName = useCreditName()
  const { order_type, product_name, product_href, quantity, price, amount, bonus } = order
  const state = orderState(order, now)
  const isPaid = order.status === OrderStatus.Paid
  const method = methodText(order, creditName)
  const isTopUp = order_type === OrderType.TopUp
  const credits = (count: number) => `${count} ${creditName}`
  const facts: [string, ReactNode][] = [
    ['订单号', <CopyNumber key="number" number={order.order_no} />],
    ['买家', buyer],
    ['类型', orderTypeLabels[order_type]],
    ['下单时间', timeText(order.created_at)],
    ['支付方式', method && [<MethodIcon key="icon" order={order} />, method]],
    ['支付时间', timeText(order.paid_at)],
    ['关闭时间', timeText(order.closed_at)],
  ]
  const sums = [
    ['优惠', price > amount ? `−${credits(price - amount)}` : ''],
    ['赠送', bonus > 0 ? credits(bonus) : ''],
    ['合计', isMoneyMethod(order.payment_type) && order_type === OrderType.Document ? credits(amount) : ''],
    ['应付', isPaid && differenceText(order) ? `¥${formatYuan(order.money)}` : ''],
    [isPaid ? '实付' : '应付', paidText(order, creditName)],
    ['差额', isPaid ? differenceText(order) : ''],
    ['已退款', refundedText(order, creditName)],
    ['已收回', withdrawnText(order, creditName)],
  ].filter(([, text]) => text !== '')
  return (
    <Card className="print:rounded-none print:border-0 print:bg-transparent print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-4 border-b border-line pb-5">
        <div className="min-w-0">
          <p className="text-sm text-muted">{system.sitename || system.title}</p>
          <h2 className="mt-1 text-xl">{isPaid ? '收据' : '订单详情'}</h2>
        </div>
        <OrderStatusLabel order={order} state={state} />
      </header>
      {state === 'late' && (
        <div className="mt-5">
          <Notice tone="danger">已收到付款，但订单已关闭，管理人员会为您处理或退款。</Notice>
        </div>
      )}
      {order.payment_type === PaymentMethod.Trial && (
        <div className="mt-5">
          <Notice tone="warning">这是试运行的订单，没有收款；试运行结束时，发放的可能收回。</Notice>
        </div>
      )}
      <dl className="mt-5 grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
        {facts
          .filter(([, text]) => text !== '')
          .map(([name, text]) => (
            <div key={name} className="flex gap-3">
              <dt className="w-16 shrink-0 text-muted">{name}</dt>
              <dd className="min-w-0 wrap-anywhere tabular-nums">{text}</dd>
            </div>
          ))}
      </dl>
      <table className="mt-6 w-full text-left text-sm">
        <thead>
          <tr className="border-y border-line text-muted [&>th]:py-2.5 [&>th]:font-normal">
            <th className="w-full">名称</th>
            <th className="px-4 text-right whitespace-nowrap">数量</th>
            <th className="text-right whitespace-nowrap">金额</th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-b border-line align-top [&>td]:py-3">
            <td className="min-w-0 font-medium wrap-anywhere">
              <SmartLink href={product_href} className="[&[href]]:hover:text-accent">
                {product_name}
              </SmartLink>
            </td>
            <td className="px-4 text-right tabular-nums">{isTopUp ? 1 : quantity}</td>
            <td className="text-right whitespace-nowrap tabular-nums">{priceText(order, creditName)}</td>
          </tr>
        </tbody>
      </table>
      <dl className="mt-4 ml-auto w-full max-w-72 space-y-1.5 text-sm">
        {sums.map(([name, text]) => (
          <div key={name} className="flex items-baseline justify-between gap-4">
            <dt className="text-muted">{name}</dt>
            <dd
              className={
                name === (isPaid ? '实付' : '应付') ? 'text-lg font-semibold tabular-nums' : 'font-medium tabular-nums'
              }
            >
              {text}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-6 text-xs text-muted">这是网站的订单记录，不作为发票使用。</p>
      <div className="mt-6 flex flex-wrap gap-3 border-t border-line pt-5 print:hidden">
        {state === 'pending' && (
          <ButtonLink to={orderPath(order)} variant="primary">
            去支付
          </ButtonLink>
        )}
        {state === 'paid' && order_type === OrderType.Document && product_href !== '' && download}
        <Button onClick={() => window.print()}>
          <Printer size={16} aria-hidden />
          打印
        </Button>
        <ButtonLink to="/me/order">返回我的订单</ButtonLink>
        {(state === 'pending' || state === 'claimed') && <CloseOrderButton order={order} />}
      </div>
    </Card>
  )
}

function timeText(at: number | null): string {
  return at === null ? '' : formatTime(at)
}
