import type { Route } from './+types/list.ts'
import { collections } from '#shared/contract/collections.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { CollectionGrid, CollectionGridSkeleton } from '#web/features/collections/collection-card.tsx'
import { toCollectionSummary } from '#web/features/collections/collection-summary.ts'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { Pager } from '#web/features/lists/pager.tsx'
import { useListPending } from '#web/features/lists/use-list-pending.ts'
import { useRefetchWhenSignedIn } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { Page } from '#web/ui/page.tsx'
import { ShelfDrawing } from '#web/ui/drawings/shelf.tsx'

const size = 24
const title = '文集'
const description = '读者整理的文档和文章：按主题挑选，排好顺序，写上说明。'

const page = load(async ({ api, url }) => {
  const order = url.searchParams.get('order') === 'popular' ? 'popular' : 'latest'
  const page = parsePage(url.searchParams)
  const { total, collection } = await api(collections.list, { order, page, size })
  return {
    order,
    page,
    total,
    collections: collection.map(toCollectionSummary),
    renderedAnonymously: import.meta.env.SSR,
  }
})
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: ['order', 'page'] }

export default function Collections({ loaderData }: Route.ComponentProps) {
  const { order, total, collections, renderedAnonymously } = loaderData
  useRefetchWhenSignedIn(renderedAnonymously)
  const isPending = useListPending()
  return (
    <Page>
      <div className="flex items-center justify-between gap-4">
        <h1 className="text-2xl">{title}</h1>
        <ButtonLink to="/me/collections" size="sm">
          我的文集
        </ButtonLink>
      </div>
      <p className="mt-2 max-w-2xl text-sm text-muted">{description}</p>
      <div className="mt-3 flex items-center border-b border-line">
        <ChoiceTabs
          label="排序"
          choices={[
            { title: '最近更新', to: '/collections', isChosen: order === 'latest' },
            { title: '关注最多', to: '/collections?order=popular', isChosen: order === 'popular' },
          ]}
        />
        <p className="ml-auto shrink-0 pl-4 text-sm text-muted tabular-nums">共 {total} 个</p>
      </div>
      <div className="pt-6 pb-12">
        {isPending ? (
          <CollectionGridSkeleton />
        ) : collections.length > 0 ? (
          <CollectionGrid collections={collections} />
        ) : total > 0 ? (
          <EmptyState title="没有这一页" action={<ButtonLink to="/collections">回到第一页</ButtonLink>} />
        ) : (
          <EmptyState
            title="还没有公开的文集"
            drawing={<ShelfDrawing />}
            action={<ButtonLink to="/category">去看看文档</ButtonLink>}
          >
            在文档或文章的页面上点“加入文集”，做第一个。
          </EmptyState>
        )}
        <Pager total={total} size={size} />
      </div>
    </Page>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return pageMeta(matches[0].loaderData, { title })
  const { order, page, collections } = loaderData
  const query = new URLSearchParams({
    ...(order === 'popular' && { order }),
    ...(page > 1 && { page: String(page) }),
  }).toString()
  const path = `/collections${query && `?${query}`}`
  return pageMeta(matches[0].loaderData, { title, description, path, isHidden: collections.length === 0 })
}
