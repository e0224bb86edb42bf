import type { Route } from './+types/articles.ts'
import { articles } from '#shared/contract/articles.ts'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'
import { OwnArticles } from '#web/features/users/centre/own-articles.tsx'
import { reviewStandings } from '#web/features/users/centre/review-label.tsx'
import { NarrowingForm } from '#web/features/users/narrowing-form.tsx'
import { isNarrowed, readNarrowing, timesOf } from '#web/features/users/narrowing.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { currentSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

const size = 20
const here = '/me/article'

export const clientLoader = load(async ({ api, url }) => {
  const narrowing = readNarrowing(url.searchParams, reviewStandings)
  const page = pageOf(url.searchParams)
  const standing = reviewStandings[narrowing.status]
  const { total, article } = await api(articles.list, {
    user_id: [currentSession().user.id],
    wd: narrowing.wd,
    status: standing ? [standing.status] : [],
    created_at: timesOf(narrowing, Date.now()),
    order: 'id desc',
    page,
    size,
  })
  return { narrowing, page, total, rows: article }
}).client

export default function MyArticles({ loaderData: { narrowing, page, total, rows } }: Route.ComponentProps) {
  const isPending = useListPending()
  const isPart = isNarrowed(narrowing)
  return (
    <Card
      title="我的文章"
      aside={
        <ButtonLink to="/post" look="primary" size="sm">
          发布文章
        </ButtonLink>
      }
    >
      {(total > 0 || isPart) && <NarrowingForm narrowing={narrowing} address={here} statuses={reviewStandings} />}
      {isPending ? (
        <SkeletonRows count={8} />
      ) : rows.length > 0 ? (
        <OwnArticles key={page} rows={rows} />
      ) : (
        <Nothing isPart={isPart} hasOthers={total > 0} />
      )}
      <Pager total={total} size={size} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的文章' })
}

function Nothing({ isPart, hasOthers }: { isPart: boolean; hasOthers: boolean }) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to="?page=1">回到第一页</ButtonLink>} />
  if (isPart) {
    return (
      <EmptyState title="没有找到" action={<ButtonLink to={here}>显示全部</ButtonLink>}>
        换个词、另一种状态或别的时间试试。
      </EmptyState>
    )
  }
  return (
    <EmptyState title="还没有文章" action={<ButtonLink to="/post">发布文章</ButtonLink>}>
      您发布的文章会列在这里。
    </EmptyState>
  )
}
