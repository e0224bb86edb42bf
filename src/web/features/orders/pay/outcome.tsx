import { CircleAlert, CircleCheck, CircleX, Clock, Hourglass, Undo2, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order } from '#shared/contract/orders.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { receiptPath } from '#web/domain/orders.ts'
import { useCreditName } from '#web/domain/site.ts'
import type { OrderState } from '#web/features/orders/order-state.ts'
import { paidText, refundedText } from '#shared/order-texts.ts'
import { useCreateOrder } from '#web/features/orders/use-create-order.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface OutcomeProps {
  order: Order
  state: Exclude<OrderState, 'pending'>
  /** Downloads the document that was bought. */
  download: ReactNode
}

/** What has become of an order, and what to do next. */
export function Outcome({ order, state, download }: OutcomeProps) {
  const creditName = useCreditName()
  const { Icon, tone, title, text } = outcomes[state]
  const refunded = refundedText(order, creditName)
  return (
    <Card>
      <div aria-live="polite" className="flex flex-col items-center px-2 py-6 text-center">
        <Icon size={52} strokeWidth={1.5} className={tone} aria-hidden />
        <h2 className="mt-4 text-xl">{title}</h2>
        <p className="mt-2 max-w-md text-balance text-muted">
          {state === 'paid' ? boughtText(order, creditName) : text}
          {state === 'withdrawn' && order.payment_type === PaymentMethod.DownloadCode && '下载码能不能再用见通知。'}
        </p>
        {refunded && (
          <p className="mt-2 font-medium tabular-nums">
            {state === 'refunded' ? `已退 ${refunded}` : `已退 ${refunded}，共付 ${paidText(order, creditName)}`}
          </p>
        )}
        {state === 'claimed' && order.claim && (
          <p className="mt-4 max-w-md rounded-md bg-sunken px-4 py-2.5 text-left text-sm wrap-anywhere whitespace-pre-line">
            {order.claim}
          </p>
        )}
        {state === 'paid' && order.payment_type === PaymentMethod.Trial && (
          <div className="mt-4 text-left">
            <Notice tone="warning">这是试运行的订单，没有收款；试运行结束时，发放的可能收回。</Notice>
          </div>
        )}
        {state === 'paid' && order.has_surplus && (
          <div className="mt-4 text-left">
            <Notice tone="warning">这个订单收到了不止一笔付款，多付的会由管理人员退还。</Notice>
          </div>
        )}
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          {state === 'paid' && <WhatWasBought order={order} download={download} />}
          {(state === 'expired' || state === 'closed' || state === 'refunded' || state === 'withdrawn') && (
            <OrderAgain order={order} />
          )}
          <ButtonLink to={receiptPath(order)}>查看订单</ButtonLink>
        </div>
      </div>
    </Card>
  )
}

function WhatWasBought({ order, download }: Pick<OutcomeProps, 'order' | 'download'>) {
  if (order.order_type === OrderType.Document) return download
  return (
    <ButtonLink to={order.order_type === OrderType.Vip ? '/me/vip' : '/me/credit'} variant="primary">
      去看看
    </ButtonLink>
  )
}

function boughtText({ order_type, product_name, amount, bonus }: Order, creditName: string): string {
  if (order_type === OrderType.TopUp) return `${amount + bonus} ${creditName}已到账。`
  return order_type === OrderType.Vip ? `${product_name}已开通。` : `《${product_name}》已购买。`
}

function OrderAgain({ order: { order_type, product_id, quantity } }: { order: Order }) {
  const { busy, create } = useCreateOrder(() => toast('现在不用付款了'))
  const again = { order_type, product_id, ...(order_type === OrderType.TopUp && { quantity }) }
  return (
    <Button variant="primary" busy={busy} onClick={() => create(again, { replace: true })}>
      重新下单
    </Button>
  )
}

const outcomes: Record<OutcomeProps['state'], { Icon: LucideIcon; tone: string; title: string; text: string }> = {
  paid: { Icon: CircleCheck, tone: 'text-success', title: '支付成功', text: '' },
  refunding: {
    Icon: Hourglass,
    tone: 'text-warning',
    title: '退款处理中',
    text: '支付平台还没有给出结果，有了结果这里会自己更新。买到的东西在此之前不变。',
  },
  refunded: { Icon: Undo2, tone: 'text-muted', title: '已退款', text: '付款已经退还，买到的东西同时收回。' },
  withdrawn: {
    Icon: Undo2,
    tone: 'text-muted',
    title: '已撤回',
    text: '这个订单没有收您的钱，得到的东西已经收回。',
  },
  claimed: {
    Icon: Hourglass,
    tone: 'text-warning',
    title: '等待确认收款',
    text: '管理人员核实您的付款后，这个页面会自己更新，您也可以稍后到“我的订单”里查看。',
  },
  late: {
    Icon: CircleAlert,
    tone: 'text-danger',
    title: '付款来晚了一步',
    text: '已收到付款，但订单已关闭，管理人员会为您处理或退款。',
  },
  expired: {
    Icon: Clock,
    tone: 'text-muted',
    title: '订单已过期',
    text: '超过了付款的时间。如果您刚刚付了款，请稍等片刻，收到后会在这里告诉您。',
  },
  closed: { Icon: CircleX, tone: 'text-muted', title: '订单已关闭', text: '这个订单不能再支付，需要时可以重新下单。' },
}
