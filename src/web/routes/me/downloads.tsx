import { Link } from 'react-router'
import type { Route } from './+types/downloads.ts'
import { downloads } from '#shared/contract/documents.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { AgainButton } from '#web/features/documents/browse/again-button.tsx'
import { KindLabel } from '#web/features/documents/browse/kind-label.tsx'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'
import { documentPath } from '#web/lib/paths.ts'
import { priceText } from '#web/features/documents/price-text.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) =>
  api(downloads.list, { page: pageOf(url.searchParams), size }),
).client

export default function MyDownloads({ loaderData: { total, download } }: Route.ComponentProps) {
  const isPending = useListPending()
  if (isPending) {
    return (
      <Card title="我的下载">
        <SkeletonRows count={8} />
      </Card>
    )
  }
  return (
    <Card title="我的下载">
      {download.length > 0 ? (
        <ul className="divide-y divide-line">
          {download.map((one) => (
            <Downloaded key={one.id} download={one} />
          ))}
        </ul>
      ) : (
        <Nothing hasOthers={total > 0} />
      )}
      <Pager total={total} size={size} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的下载' })
}

function Nothing({ hasOthers }: { hasOthers: boolean }) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to="?page=1">回到第一页</ButtonLink>} />
  return (
    <EmptyState title="还没有下载记录" action={<ButtonLink to="/category">去逛逛</ButtonLink>}>
      下载过的文档会列在这里。
    </EmptyState>
  )
}

function Downloaded({ download }: { download: Route.ComponentProps['loaderData']['download'][number] }) {
  const { credit_name } = useSite().settings.system
  const { document_id, document_uuid, title, ext, price, is_pay, pages, size, created_at } = download
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <span className="flex items-start gap-2">
          <span className="mt-0.5 shrink-0">
            <KindLabel ext={ext} />
          </span>
          <Link
            to={documentPath({ uuid: document_uuid })}
            className="line-clamp-2 min-w-0 font-medium hover:text-accent"
          >
            {title}
          </Link>
        </span>
        <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
          <span>{priceText(is_pay ? price : 0, credit_name)}</span>
          {pages > 0 && <span>{pages} 页</span>}
          <span>{formatSize(size)}</span>
          {created_at !== null && <span>{formatTime(created_at)}</span>}
        </p>
      </div>
      <AgainButton document={{ id: document_id, title, ext, size }} />
    </li>
  )
}
