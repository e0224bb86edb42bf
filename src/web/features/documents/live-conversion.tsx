import { useProgress } from '#web/features/documents/follow-progress.ts'

/** How the conversion goes, told as it happens; says when there is something new to show. */
export function LiveConversion({
  document: { id, status },
  first,
  onChanged,
}: {
  document: { id: number; status: number }
  /** The pages that are shown already while the others are to come. */
  first: number
  onChanged: () => void
}) {
  const progress = useProgress([{ id, status, first }], onChanged).get(id)
  const { pages = 0, read = 0 } = progress ?? {}
  return (
    <div className="mt-2">
      {/* How long it takes to open a file nobody knows; reading its pages can be counted. */}
      {pages > 0 ? (
        <progress max={pages} value={read} aria-label="转换进度" className={barClass} />
      ) : (
        <progress aria-label="转换进度" className={barClass} />
      )}
      <p className="mt-1 text-xs" aria-live="polite">
        {pages > 0 ? `共 ${pages} 页，已处理 ${read} 页` : first > 0 ? '可以先读开头的几页' : '正在打开文件…'}
      </p>
    </div>
  )
}

const barClass = 'h-1.5 w-full max-w-sm accent-accent'
