import { Link } from 'react-router'
import type { Route } from './+types/downloads.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { DownloadAgainButton } from '#web/features/documents/download/download-again-button.tsx'
import { KindLabel } from '#web/features/documents/kind-label.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { usePriceText } from '#web/domain/prices.ts'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { ReceiptDrawing } from '#web/ui/drawings/receipt.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) =>
  api(downloads.list, { page: parsePage(url.searchParams), size }),
).client

export default function MyDownloads({ loaderData: { total, download } }: Route.ComponentProps) {
  return (
    <Card title="我的下载">
      <MemberList
        total={total}
        size={size}
        rows={download.length}
        empty={
          <EmptyState
            title="还没有下载记录"
            drawing={<ReceiptDrawing />}
            action={<ButtonLink to="/category">去逛逛</ButtonLink>}
          >
            下载过的文档会列在这里。
          </EmptyState>
        }
      >
        <ul className="divide-y divide-line">
          {download.map((item) => (
            <DownloadRow key={item.id} download={item} />
          ))}
        </ul>
      </MemberList>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的下载' })
}

function DownloadRow({ download }: { download: Route.ComponentProps['loaderData']['download'][number] }) {
  const priceText = usePriceText()
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
            className="line-clamp-2 min-w-0 font-title font-medium hover:text-accent"
          >
            {title}
          </Link>
        </span>
        <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
          <span>{priceText(is_pay ? price : 0)}</span>
          {pages > 0 && <span>{pages} 页</span>}
          <span>{formatSize(size)}</span>
          {created_at !== null && <span>{formatTime(created_at)}</span>}
        </p>
      </div>
      <DownloadAgainButton document={{ id: document_id, title, ext, size }} />
    </li>
  )
}
