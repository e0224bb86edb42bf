import { useState, type ReactNode } from 'react'
import { OrderStatus } from '#shared/enums.ts'
import type { Order } from '#shared/contract/orders.ts'
import { CloseOrderButton } from '#web/features/orders/close-order-button.tsx'
import { Countdown } from '#web/features/orders/countdown.tsx'
import { orderState } from '#web/features/orders/order-state.ts'
import type { PayMethods } from '#web/features/orders/pay/method-cards.tsx'
import { OrderSummary } from '#web/features/orders/pay/order-summary.tsx'
import { Outcome } from '#web/features/orders/pay/outcome.tsx'
import { PayPanel } from '#web/features/orders/pay/pay-panel.tsx'
import { PhoneHandover } from '#web/features/orders/pay/phone-handover.tsx'
import { useLiveOrder } from '#web/features/orders/use-live-order.ts'
import type { ServerTime } from '#web/lib/countdown.ts'
import { Page } from '#web/ui/page.tsx'

interface OrderPageProps {
  order: Order
  methods: PayMethods
  /** When the order was loaded. */
  time: ServerTime
  download: ReactNode
}

/** An order from its payment to what came of it. */
export function OrderPage({ order, methods, time, download }: OrderPageProps) {
  useLiveOrder(order, time)
  const [endedAt, setEndedAt] = useState<number>()
  const end = order.expired_at
  const state = orderState(order, end !== null && end === endedAt ? end : time.now)
  return (
    <Page>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 className="text-2xl">{state === 'pending' ? '支付订单' : '订单'}</h1>
        {state === 'pending' && end !== null && (
          <p className="text-sm text-muted">
            请在 <Countdown key={end} until={end} time={time} onEnd={() => setEndedAt(end)} /> 内完成付款
          </p>
        )}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
        <div className="min-w-0 lg:col-start-2 lg:row-start-1">
          <OrderSummary order={order} />
          {order.status === OrderStatus.Pending && state !== 'expired' && (
            <div className="mt-3 flex flex-wrap justify-end gap-1">
              {state === 'pending' && <PhoneHandover order={order} />}
              <CloseOrderButton order={order} />
            </div>
          )}
        </div>
        <div className="min-w-0">
          {state === 'pending' ? (
            <PayPanel key={order.order_no} order={order} methods={methods} />
          ) : (
            <Outcome order={order} state={state} download={download} />
          )}
        </div>
      </div>
    </Page>
  )
}
