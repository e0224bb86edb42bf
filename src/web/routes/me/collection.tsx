import type { Route } from './+types/collection.ts'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'

/** Placeholders of pages whose modules are planned. */
const collections: Record<string, { title: string; empty: string; hint: string } | undefined> = {
  order: { title: '我的订单', empty: '还没有订单', hint: '您的订单会列在这里。' },
  vip: { title: 'VIP 会员', empty: '还没有 VIP 记录', hint: '开通 VIP 后，可以在这里看到有效期。' },
}

export const clientLoader = load(async ({ params: { collection = '' } }) => {
  if (!Object.hasOwn(collections, collection)) throw notFound()
  return { collection }
}).client

export default function Collection({ loaderData }: Route.ComponentProps) {
  const collection = collections[loaderData.collection]
  if (!collection) return null
  const { title, empty, hint } = collection
  return (
    <Card title={title}>
      <EmptyState title={empty}>{hint}</EmptyState>
    </Card>
  )
}

export function meta({ matches, params }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: collections[params.collection]?.title ?? '个人中心' })
}
