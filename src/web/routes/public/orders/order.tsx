import { redirect } from 'react-router'
import type { Route } from './+types/order.ts'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus } from '#shared/enums.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { DownloadNowButton } from '#web/features/documents/download/download-now-button.tsx'
import { OrderPage } from '#web/features/orders/pay/order-page.tsx'
import { load } from '#web/lib/load.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'

export const clientLoader = load(async ({ api, url }) => {
  const order_no = url.searchParams.get('order_no') ?? ''
  if (order_no === '') throw redirect('/me/order')
  const { now, ...order } = await api(orders.get, { order_no })
  const time = { now, arrivedAt: Date.now() }
  const isPending = order.status === OrderStatus.Pending
  const methods = isPending ? await api(orders.methods, { order_no }) : { balance: 0, method: [] }
  return { order, methods, time }
}).client

export default function Order({ loaderData: { order, methods, time } }: Route.ComponentProps) {
  return (
    <OrderPage
      key={order.order_no}
      order={order}
      methods={methods}
      time={time}
      download={<DownloadNowButton id={order.product_id} />}
    />
  )
}

export function HydrateFallback() {
  return (
    <Page>
      <Skeleton className="mb-5 h-8 w-32" />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
        <div className="lg:col-start-2 lg:row-start-1">
          <Card>
            <SkeletonRows count={5} />
          </Card>
        </div>
        <Card>
          <SkeletonRows count={6} />
        </Card>
      </div>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '支付订单' })
}
