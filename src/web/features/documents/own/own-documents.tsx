import { Link, useRevalidator } from 'react-router'
import { documents, type Document, type Progress } from '#shared/contract/documents.ts'
import { awaitsPages } from '#shared/document-status.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { EditButton } from '#web/features/documents/own/edit-button.tsx'
import { ReplaceButton } from '#web/features/documents/replace/replace-button.tsx'
import { KindLabel } from '#web/features/documents/kind-label.tsx'
import { StatusLabel } from '#web/features/documents/own/status-label.tsx'
import { SetVisibilityButton } from '#web/features/documents/own/set-visibility-button.tsx'
import { VisibilityBadges } from '#web/features/documents/visibility/visibility-badges.tsx'
import { useProgress } from '#web/features/documents/use-progress.ts'
import { usePriceText } from '#web/domain/prices.ts'
import { refreshUser } from '#web/domain/account.ts'
import { api } from '#web/lib/api.ts'
import { documentPath } from '#web/domain/paths.ts'
import { DeletableRows } from '#web/ui/deletable-rows.tsx'

type OwnDocument = Pick<
  Document,
  | 'id'
  | 'uuid'
  | 'title'
  | 'ext'
  | 'pages'
  | 'price'
  | 'view_count'
  | 'download_count'
  | 'size'
  | 'created_at'
  | 'status'
  | 'convert_error'
  | 'reject_reason'
  | 'visibility'
  | 'downloadable'
>

/** The member's own documents. */
export function OwnDocuments({ rows }: { rows: OwnDocument[] }) {
  const priceText = usePriceText()
  const { revalidate } = useRevalidator()
  const refresh = () => void revalidate()
  const progress = useProgress(rows.filter(awaitsPages).map(toWatched), refresh)
  const remove = async (id: number[]) => {
    await api(documents.delete, { id })
    void refreshUser().catch(() => undefined)
  }
  return (
    <DeletableRows
      rows={rows}
      renderHead={(document) => <Head document={document} progress={progress.get(document.id)} />}
      facts={factColumns(priceText)}
      renderBulkActions={(chosen) => <SetVisibilityButton ids={chosen.map(({ id }) => id)} onChanged={refresh} />}
      renderActions={(document) => (
        <>
          <EditButton id={document.id} title={document.title} onSaved={refresh} />
          <ReplaceButton document={document} onReplaced={refresh} isListed />
        </>
      )}
      labels={{
        noun: '文档',
        measure: '份',
        effect: '会移到回收站，其他人不能再看到和下载；上传时得到的奖励可能会被扣除。',
        done: '已移到回收站',
      }}
      remove={remove}
      onRemoved={refresh}
    />
  )
}

/** Under review the status stays as it is when the pages come. */
function toWatched({ id, status, pages }: OwnDocument) {
  return { id, status, pages }
}

/** The date of `yyyy-MM-dd HH:mm`. */
const dateLength = 10

function factColumns(priceText: (price: number) => string): Record<string, (document: OwnDocument) => string | number> {
  return {
    页数: ({ pages }) => (pages > 0 ? pages : '—'),
    价格: ({ price }) => priceText(price),
    浏览: ({ view_count }) => view_count,
    下载: ({ download_count }) => download_count,
    大小: ({ size }) => formatSize(size),
    上传: ({ created_at }) => (created_at === null ? '' : formatTime(created_at).slice(0, dateLength)),
  }
}

function Head({ document, progress }: { document: OwnDocument; progress: Progress | undefined }) {
  return (
    <>
      <span className="flex items-start gap-2">
        <span className="mt-0.5 shrink-0">
          <KindLabel ext={document.ext} />
        </span>
        <Link to={documentPath(document)} className="line-clamp-2 min-w-0 font-title font-medium hover:text-accent">
          {document.title}
        </Link>
      </span>
      <StatusLabel document={document}>
        <VisibilityBadges document={document} />
      </StatusLabel>
      {awaitsPages(document) && <ProgressLine progress={progress} />}
    </>
  )
}

/** Opening a file takes an unknown time; its pages can be counted. */
function ProgressLine({ progress }: { progress: Progress | undefined }) {
  const { pages = 0, read = 0 } = progress ?? {}
  return (
    <span className="mt-2 flex items-center gap-2 text-xs text-muted tabular-nums">
      <progress {...(pages > 0 ? { max: pages, value: read } : {})} aria-label="转换进度" className={barClass} />
      {pages > 0 && `${read} / ${pages} 页`}
    </span>
  )
}

const barClass = 'h-1.5 w-32 accent-accent'
