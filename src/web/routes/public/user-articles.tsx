import type { Route } from './+types/user-articles.ts'
import { articles } from '#shared/contract/articles.ts'
import { ArticleItem, ArticleItemSkeleton } from '#web/features/articles/browse/article-item.tsx'
import { listed } from '#web/features/articles/browse/listed.ts'
import { reachable } from '#web/features/documents/browse/list-query.ts'
import { PagedList } from '#web/features/documents/browse/paged-list.tsx'
import { askedIn } from '#web/features/users/asked.ts'
import { personMeta } from '#web/features/users/person-meta.ts'
import { TheirList } from '#web/features/users/their-list.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSession } from '#web/lib/session.ts'

const size = 10

const page = load(async ({ api, ...given }) => {
  const { asked, ...shown } = askedIn(given)
  const { wd } = shown.narrowing
  // What everybody may read; by words, what fits best comes first.
  const { total, article } =
    wd === ''
      ? await api(articles.list, { ...asked, status: [1], order: 'id desc', size })
      : await api(articles.search, { ...asked, wd })
  return { ...shown, total, articles: article.map(listed) }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserArticles({ loaderData, matches }: Route.ComponentProps) {
  const { narrowing, page, total, articles, now } = loaderData
  const { user } = matches[2].loaderData
  const isOwn = useSession().user.id === user.id
  return (
    <div className="mt-5">
      <TheirList
        isOwn={isOwn}
        narrowing={narrowing}
        total={total}
        address={`/user/${user.id}/article`}
        words={{
          note: '还没有通过审核的文章不在这里。',
          manage: { to: '/me/article', title: '管理我的文章' },
          none: '还没有文章',
          forOthers: '这里会列出已公开的文章。',
          forOwner: '您发布的文章通过审核后会列在这里。',
          begin: { to: '/post', title: '发布文章' },
        }}
      >
        {(empty) => (
          <PagedList
            total={reachable(total)}
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
      </TheirList>
    </div>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData
  const user = matches[2].loaderData?.user
  if (!user) return pageMeta(site)
  const isEmpty = loaderData?.articles.length === 0
  return personMeta({ person: user, part: '/article', page: loaderData?.page, isEmpty }, site)
}
