import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { documents, type Document, type Progress } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { isUnderway } from '#shared/document-status.ts'
import { KindLabel } from '#web/features/documents/browse/kind-label.tsx'
import { StatusLabel } from '#web/features/documents/browse/status-label.tsx'
import { documentPath } from '#web/lib/paths.ts'
import { priceText } from '#web/features/documents/price-text.ts'
import { api } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

const DocumentEditDialog = lazy(async () => ({
  default: (await import('#web/features/documents/document-edit-dialog.tsx')).DocumentEditDialog,
}))

export type OwnDocument = Pick<
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
>

interface OwnRowProps {
  document: OwnDocument
  progress: Progress | undefined
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onDelete: () => void
  onSaved: () => void
}

/** A row of a table; on a narrow screen, a card. */
export function OwnRow({ document, progress, isChosen, onChoose, onDelete, onSaved }: OwnRowProps) {
  const { credit_name } = useSite().settings.system
  const { title, ext, pages, price, view_count, download_count, size, created_at } = document
  return (
    <tr className="border-b border-line align-top last:border-0 max-md:relative max-md:block max-md:py-4 max-md:pl-9">
      <td className="py-3 pr-2 max-md:absolute max-md:top-1 max-md:left-0">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
          aria-label={`选择“${title}”`}
          className="mt-0.5 size-4.5 accent-accent"
        />
      </td>
      <td className="min-w-0 py-3 pr-4 max-md:block max-md:p-0">
        <span className="flex items-start gap-2">
          <span className="mt-0.5 shrink-0">
            <KindLabel ext={ext} />
          </span>
          <Link to={documentPath(document)} className="line-clamp-2 min-w-0 font-medium hover:text-accent">
            {title}
          </Link>
        </span>
        <StatusLabel document={document} />
        {isUnderway(document) && <ProgressLine progress={progress} />}
      </td>
      <Fact name="页数">{pages > 0 ? pages : '—'}</Fact>
      <Fact name="价格">{priceText(price, credit_name)}</Fact>
      <Fact name="浏览">{view_count}</Fact>
      <Fact name="下载">{download_count}</Fact>
      <Fact name="大小">{formatSize(size)}</Fact>
      <Fact name="上传">{created_at === null ? '' : formatTime(created_at).slice(0, dayLength)}</Fact>
      <td className="py-2 whitespace-nowrap max-md:mt-1.5 max-md:-ml-3 max-md:block max-md:py-0">
        <EditButton document={document} onSaved={onSaved} />
        <Button look="quiet" size="sm" onClick={onDelete} aria-label={`删除“${title}”`}>
          删除
        </Button>
      </td>
    </tr>
  )
}

/** Of `yyyy-MM-dd HH:mm`, the day. */
const dayLength = 10

function Fact({ name, children }: { name: string; children: string | number }) {
  return (
    <td className="py-3 pr-4 whitespace-nowrap text-muted tabular-nums max-md:mt-1.5 max-md:inline-block max-md:py-0">
      <span className="mr-1 md:hidden">{name}</span>
      {children}
    </td>
  )
}

/** How long it takes to open a file nobody knows; reading its pages can be counted. */
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

/** Lists know less than the form needs: the rest is fetched when someone wants to edit. */
function EditButton({ document: { id, title }, onSaved }: { document: OwnDocument; onSaved: () => void }) {
  const [whole, setWhole] = useState<Document>()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const edit = async () => {
    setBusy(true)
    try {
      setWhole(await api(documents.get, { id }))
      setOpen(true)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '没有打开，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button look="quiet" size="sm" busy={busy} onClick={() => void edit()} aria-label={`编辑“${title}”`}>
        编辑
      </Button>
      {whole && (
        <Suspense>
          <DocumentEditDialog document={whole} open={open} onOpenChange={setOpen} onSaved={onSaved} />
        </Suspense>
      )}
    </>
  )
}
