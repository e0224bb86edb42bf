import type { Route } from './+types/order.ts'
import { orders } from '#shared/contract/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { DownloadNowButton } from '#web/features/documents/download/download-now-button.tsx'
import { Receipt } from '#web/features/orders/own/receipt.tsx'
import { load } from '#web/lib/load.ts'

export const clientLoader = load(({ api, params: { orderNo = '' } }) => api(orders.get, { order_no: orderNo })).client

export default function MyOrder({ matches, loaderData: order }: Route.ComponentProps) {
  const { user } = matches[2].loaderData
  return (
    <Receipt
      order={order}
      buyer={user.username}
      now={order.now}
      download={<DownloadNowButton id={order.product_id} />}
    />
  )
}

export function meta({ matches, params }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: `订单 ${params.orderNo}` })
}
