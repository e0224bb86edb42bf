import type { Route } from './+types/articles.ts'
import { articleDrafts } from '#shared/contract/article-drafts.ts'
import { articles } from '#shared/contract/articles.ts'
import { useInvitations } from '#web/domain/contributions.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { OwnArticles } from '#web/features/articles/own/own-articles.tsx'
import { OwnDrafts } from '#web/features/articles/own/own-drafts.tsx'
import { reviewStatusFilters } from '#web/features/articles/own/review-label.tsx'
import { FilteredMemberList } from '#web/features/lists/filtered-member-list.tsx'
import { ownListSize, parseOwnListParams } from '#web/features/users/list-params.ts'
import { load } from '#web/lib/load.ts'
import { NotebookDrawing } from '#web/ui/drawings/notebook.tsx'

export const clientLoader = load(async ({ api, url }) => {
  const { request, ...shown } = parseOwnListParams(url.searchParams, reviewStatusFilters)
  const [{ total, article }, { draft }] = await Promise.all([api(articles.list, request), api(articleDrafts.list)])
  return { ...shown, total, rows: article, drafts: draft }
}).client

export default function MyArticles({ loaderData: { filters, page, total, rows, drafts } }: Route.ComponentProps) {
  const { publish } = useInvitations()
  return (
    <div className="space-y-5">
      {drafts.length > 0 && <OwnDrafts drafts={drafts} />}
      <FilteredMemberList
        title="我的文章"
        path="/me/article"
        filters={filters}
        statuses={reviewStatusFilters}
        total={total}
        size={ownListSize}
        rows={rows.length}
        create={publish ? { to: '/post', title: '发布文章' } : undefined}
        empty={{ title: '还没有文章', hint: '您发布的文章会列在这里。', drawing: <NotebookDrawing /> }}
      >
        <OwnArticles key={page} rows={rows} />
      </FilteredMemberList>
    </div>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的文章' })
}
