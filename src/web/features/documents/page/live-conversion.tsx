import type { DocumentStatus } from '#shared/document-status.ts'
import { useProgress } from '#web/features/documents/use-progress.ts'

/** The progress of a conversion, as it happens. */
export function LiveConversion({
  document: { id, status, pages: shown },
  shownPages,
  onChanged,
}: {
  document: { id: number; status: DocumentStatus; pages: number }
  /** The pages that are shown already while the others are converted. */
  shownPages: number
  /** Called when there is something new to show. */
  onChanged: () => void
}) {
  const progress = useProgress([{ id, status, first: shownPages, pages: shown }], onChanged).get(id)
  const { pages = 0, read = 0 } = progress ?? {}
  return (
    <div className="mt-2">
      {/* Opening a file takes an unknown time; its pages can be counted. */}
      {pages > 0 ? (
        <progress max={pages} value={read} aria-label="转换进度" className={barClass} />
      ) : (
        <progress aria-label="转换进度" className={barClass} />
      )}
      <p className="mt-1 text-xs" aria-live="polite">
        {pages > 0 ? `共 ${pages} 页，已处理 ${read} 页` : shownPages > 0 ? '可以先读开头的几页' : '正在打开文件…'}
      </p>
    </div>
  )
}

const barClass = 'h-1.5 w-full max-w-sm accent-accent'
