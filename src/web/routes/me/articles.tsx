import type { Route } from './+types/articles.ts'
import { articles } from '#shared/contract/articles.ts'
import { useInvitations } from '#web/domain/contributions.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { OwnArticles } from '#web/features/articles/own/own-articles.tsx'
import { reviewStatusFilters } from '#web/features/articles/own/review-label.tsx'
import { FilteredMemberList } from '#web/features/lists/filtered-member-list.tsx'
import { ownListSize, parseOwnListParams } from '#web/features/users/list-params.ts'
import { load } from '#web/lib/load.ts'

export const clientLoader = load(async ({ api, url }) => {
  const { request, ...shown } = parseOwnListParams(url.searchParams, reviewStatusFilters)
  const { total, article } = await api(articles.list, request)
  return { ...shown, total, rows: article }
}).client

export default function MyArticles({ loaderData: { filters, page, total, rows } }: Route.ComponentProps) {
  const { publish } = useInvitations()
  return (
    <FilteredMemberList
      title="我的文章"
      path="/me/article"
      filters={filters}
      statuses={reviewStatusFilters}
      total={total}
      size={ownListSize}
      rows={rows.length}
      create={publish ? { to: '/post', title: '发布文章' } : undefined}
      empty={{ title: '还没有文章', hint: '您发布的文章会列在这里。' }}
    >
      <OwnArticles key={page} rows={rows} />
    </FilteredMemberList>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的文章' })
}
