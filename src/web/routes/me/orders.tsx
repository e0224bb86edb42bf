import type { Route } from './+types/orders.ts'
import { orders } from '#shared/contract/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { FilteredMemberList } from '#web/features/lists/filtered-member-list.tsx'
import { orderStatusFilters } from '#web/features/orders/own/order-filters.ts'
import { OrderRow } from '#web/features/orders/own/order-row.tsx'
import { ownListSize, parseOwnListParams } from '#web/features/users/list-params.ts'
import { load } from '#web/lib/load.ts'
import { ReceiptDrawing } from '#web/ui/drawings/receipt.tsx'

export const clientLoader = load(async ({ api, url }) => {
  const { request, ...shown } = parseOwnListParams(url.searchParams, orderStatusFilters)
  const { wd, status, created_at, page, size } = request
  const { total, order, now } = await api(orders.own, { wd, status, created_at, page, size })
  return { ...shown, total, rows: order, now }
}).client

export default function MyOrders({ loaderData: { filters, total, rows, now } }: Route.ComponentProps) {
  return (
    <FilteredMemberList
      title="我的订单"
      path="/me/order"
      words="订单号或名称"
      filters={filters}
      statuses={orderStatusFilters}
      total={total}
      size={ownListSize}
      rows={rows.length}
      create={undefined}
      empty={{ title: '还没有订单', hint: '您买的文档、VIP 和充值都会列在这里。', drawing: <ReceiptDrawing /> }}
    >
      <ul className="mt-4 divide-y divide-line">
        {rows.map((order) => (
          <OrderRow key={order.id} order={order} now={now} />
        ))}
      </ul>
    </FilteredMemberList>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的订单' })
}
