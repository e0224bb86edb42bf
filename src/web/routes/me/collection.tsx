import type { Route } from './+types/collection.ts'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** What the member has gathered. Each becomes a page of its own with the module that fills it. */
const collections: Record<
  string,
  { title: string; empty: string; hint: string; to?: string; action?: string } | undefined
> = {
  article: {
    title: '我的文章',
    empty: '还没有文章',
    hint: '您发布的文章会列在这里。',
    to: '/post',
    action: '发布文章',
  },
  favorite: {
    title: '我的收藏',
    empty: '还没有收藏',
    hint: '读到喜欢的文档或文章，收藏后可以在这里找到。',
    to: '/category',
    action: '去逛逛',
  },
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
  const { title, empty, hint, to, action } = collection
  return (
    <Card title={title}>
      <EmptyState title={empty} action={to && <ButtonLink to={to}>{action}</ButtonLink>}>
        {hint}
      </EmptyState>
    </Card>
  )
}

export function meta({ matches, params }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: collections[params.collection]?.title ?? '个人中心' })
}
