import type { Route } from './+types/user-articles.ts'
import { articles } from '#shared/contract/articles.ts'
import { searches } from '#shared/contract/search.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { ArticleItem, ArticleItemSkeleton } from '#web/features/articles/browse/article-item.tsx'
import { reachableTotal } from '#web/features/articles/browse/article-query.ts'
import { toArticleSummary } from '#web/features/articles/browse/article-summary.ts'
import { PagedList } from '#web/features/lists/paged-list.tsx'
import { listQueryKeys, parseListParams } from '#web/features/users/list-params.ts'
import { UserContentList } from '#web/features/users/user-content-list.tsx'
import { userMeta } from '#web/features/users/user-meta.ts'
import { load } from '#web/lib/load.ts'

/** The page size of the search. */
const size = 10

const page = load(async ({ api, ...args }) => {
  const { request, ...shown } = parseListParams(args)
  const { wd } = shown.filters
  // Public articles, the newest first; with words, by relevance.
  const { total, article } =
    wd === ''
      ? await api(articles.list, { ...request, status: [ReviewStatus.Approved], order: 'id desc', size })
      : await api(searches.articles, { ...request, wd })
  return { ...shown, total, articles: article.map(toArticleSummary) }
})
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: listQueryKeys }

export default function UserArticles({ loaderData, matches }: Route.ComponentProps) {
  const { filters, page, total, articles, now } = loaderData
  return (
    <div className="mt-5">
      <UserContentList userId={matches[2].loaderData.user.id} part="/article" filters={filters} total={total}>
        {({ empty }) => (
          <PagedList
            total={reachableTotal(total)}
            page={page}
            size={size}
            rows={articles.length}
            skeleton={<ArticleItemSkeleton />}
            empty={empty}
          >
            {articles.map((article) => (
              <ArticleItem key={article.identifier} article={article} now={now} />
            ))}
          </PagedList>
        )}
      </UserContentList>
    </div>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const user = matches[2].loaderData?.user
  const isEmpty = loaderData?.articles.length === 0
  return userMeta({ user, part: '/article', page: loaderData?.page, isEmpty }, matches[0].loaderData)
}
