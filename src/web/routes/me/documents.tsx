import type { Route } from './+types/documents.ts'
import { documents } from '#shared/contract/documents.ts'
import { OwnFilters, type OwnQuery } from '#web/features/documents/browse/own-filters.tsx'
import { OwnTable } from '#web/features/documents/browse/own-table.tsx'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { standings } from '#web/features/documents/browse/status-words.ts'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { currentSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) => {
  const query = readQuery(url.searchParams)
  const page = pageOf(url.searchParams)
  const { total, document } = await api(documents.list, {
    user_id: [currentSession().user.id],
    wd: query.wd,
    status: standings[query.standing]?.status ?? [],
    order: 'id desc',
    page,
    size,
  })
  return { query, page, total, rows: document }
}).client

export default function MyDocuments({ loaderData: { query, page, total, rows } }: Route.ComponentProps) {
  const isPending = useListPending()
  const isNarrowed = query.wd !== '' || query.standing !== ''
  return (
    <Card
      title="我的文档"
      aside={
        <ButtonLink to="/upload" look="primary" size="sm">
          上传文档
        </ButtonLink>
      }
    >
      {(total > 0 || isNarrowed) && <OwnFilters key={JSON.stringify(query)} query={query} />}
      {isPending ? (
        <SkeletonRows count={8} />
      ) : rows.length > 0 ? (
        <OwnTable key={page} rows={rows} />
      ) : (
        <Nothing isNarrowed={isNarrowed} hasOthers={total > 0} />
      )}
      <Pager total={total} size={size} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的文档' })
}

function Nothing({ isNarrowed, hasOthers }: { isNarrowed: boolean; hasOthers: boolean }) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to="?page=1">回到第一页</ButtonLink>} />
  if (isNarrowed) {
    return (
      <EmptyState title="没有找到" action={<ButtonLink to="/me/document">显示全部</ButtonLink>}>
        换个词或另一种状态试试。
      </EmptyState>
    )
  }
  return (
    <EmptyState title="还没有文档" action={<ButtonLink to="/upload">上传文档</ButtonLink>}>
      您上传的文档会列在这里。
    </EmptyState>
  )
}

function readQuery(params: URLSearchParams): OwnQuery {
  const standing = params.get('status') ?? ''
  return {
    wd: (params.get('wd') ?? '').trim().slice(0, 100),
    standing: Object.hasOwn(standings, standing) ? standing : '',
  }
}
