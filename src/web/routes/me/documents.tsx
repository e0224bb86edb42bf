import type { Route } from './+types/documents.ts'
import { documents } from '#shared/contract/documents.ts'
import { OwnTable } from '#web/features/documents/browse/own-table.tsx'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { standings } from '#web/features/documents/browse/status-words.ts'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'
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
const here = '/me/document'

export const clientLoader = load(async ({ api, url }) => {
  const narrowing = readNarrowing(url.searchParams, standings)
  const page = pageOf(url.searchParams)
  const { total, document } = await api(documents.list, {
    user_id: [currentSession().user.id],
    wd: narrowing.wd,
    status: standings[narrowing.status]?.status ?? [],
    created_at: timesOf(narrowing, Date.now()),
    order: 'id desc',
    page,
    size,
  })
  return { narrowing, page, total, rows: document }
}).client

export default function MyDocuments({ loaderData: { narrowing, page, total, rows } }: Route.ComponentProps) {
  const isPending = useListPending()
  const isPart = isNarrowed(narrowing)
  return (
    <Card
      title="我的文档"
      aside={
        <ButtonLink to="/upload" look="primary" size="sm">
          上传文档
        </ButtonLink>
      }
    >
      {(total > 0 || isPart) && <NarrowingForm narrowing={narrowing} address={here} statuses={standings} />}
      {isPending ? (
        <SkeletonRows count={8} />
      ) : rows.length > 0 ? (
        <OwnTable key={page} rows={rows} />
      ) : (
        <Nothing isPart={isPart} hasOthers={total > 0} />
      )}
      <Pager total={total} size={size} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的文档' })
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
    <EmptyState title="还没有文档" action={<ButtonLink to="/upload">上传文档</ButtonLink>}>
      您上传的文档会列在这里。
    </EmptyState>
  )
}
