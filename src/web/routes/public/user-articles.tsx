import type { Route } from './+types/user-articles.ts'
import type { Call } from '#shared/client.ts'
import { articles } from '#shared/contract/articles.ts'
import { ArticleItem, ArticleItemSkeleton } from '#web/features/articles/browse/article-item.tsx'
import { listed } from '#web/features/articles/browse/listed.ts'
import { reachable } from '#web/features/documents/browse/list-query.ts'
import { PagedList } from '#web/features/documents/browse/paged-list.tsx'
import { NarrowingForm } from '#web/features/users/narrowing-form.tsx'
import { isNarrowed, readNarrowing, timesOf, type Narrowing } from '#web/features/users/narrowing.ts'
import { personMeta } from '#web/features/users/person-meta.ts'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'

const size = 10

const page = load(async ({ api, params, url }) => {
  if (!/^[1-9]\d{0,15}$/.test(params.id ?? '')) throw notFound('用户不存在')
  const narrowing = readNarrowing(url.searchParams)
  const turned = pageOf(url.searchParams)
  const now = Date.now()
  const { total, article } = await theirs(api, { user: Number(params.id), narrowing, page: turned, now })
  return { narrowing, page: turned, total, articles: article.map(listed), now }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserArticles({ loaderData, matches }: Route.ComponentProps) {
  const { narrowing, page, total, articles, now } = loaderData
  const { user } = matches[2].loaderData
  const isOwn = useSession().user.id === user.id
  const isPart = isNarrowed(narrowing)
  const here = `/user/${user.id}/article`
  return (
    <div className="mt-5">
      {isOwn && (
        <p className="mb-5 flex items-center justify-between gap-4 text-sm text-muted">
          还没有通过审核的文章不在这里。
          <ButtonLink to="/me/article" size="sm">
            管理我的文章
          </ButtonLink>
        </p>
      )}
      {(total > 0 || isPart) && (
        <div className="mb-5">
          <NarrowingForm key={JSON.stringify(narrowing)} narrowing={narrowing} address={here} />
        </div>
      )}
      <PagedList
        total={reachable(total)}
        page={page}
        size={size}
        rows={articles.length}
        skeleton={<ArticleItemSkeleton />}
        empty={<Nothing isOwn={isOwn} isPart={isPart} hasOthers={total > 0} here={here} />}
      >
        {articles.map((article) => (
          <ArticleItem key={article.identifier} article={article} now={now} />
        ))}
      </PagedList>
    </div>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData
  const user = matches[2].loaderData?.user
  if (!user) return pageMeta(site)
  return [
    ...pageMeta(site, { title: `${user.username} 的文章`, description: user.signature }),
    ...personMeta({ person: user, part: '/article', page: loaderData?.page }, site?.settings.system.domain ?? ''),
  ]
}

interface Asked {
  user: number
  narrowing: Narrowing
  page: number
  now: number
}

/** What everybody may read; by words, what fits best comes first. */
function theirs(api: Call, { user, narrowing, page, now }: Asked) {
  const asked = { user_id: [user], created_at: timesOf(narrowing, now), page }
  if (narrowing.wd !== '') return api(articles.search, { ...asked, wd: narrowing.wd })
  return api(articles.list, { ...asked, status: [1], order: 'id desc', size })
}

interface NothingProps {
  isOwn: boolean
  isPart: boolean
  hasOthers: boolean
  here: string
}

function Nothing({ isOwn, isPart, hasOthers, here }: NothingProps) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to={here}>回到第一页</ButtonLink>} />
  if (isPart) {
    return (
      <EmptyState title="没有找到" action={<ButtonLink to={here}>显示全部</ButtonLink>}>
        换个词或别的时间试试。
      </EmptyState>
    )
  }
  if (isOwn) {
    return (
      <EmptyState title="还没有文章" action={<ButtonLink to="/post">发布文章</ButtonLink>}>
        您发布的文章通过审核后会列在这里。
      </EmptyState>
    )
  }
  return <EmptyState title="还没有文章">这里会列出已公开的文章。</EmptyState>
}
