import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { formatSize } from '#shared/format.ts'
import { UploadProgressBar } from '#web/features/documents/upload/upload-progress-bar.tsx'
import { queue } from '#web/features/documents/upload/window-queue.ts'
import { describeResult } from '#web/features/documents/upload/row-text.ts'
import { countRows, type UploadDefaults, type UploadItem } from '#web/features/documents/upload/row.ts'
import { UploadRow } from '#web/features/documents/upload/upload-row.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { listPaths } from '#web/features/documents/upload/category-select.tsx'
import type { PathNode } from '#web/ui/forms/path-select.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** Long lists are rendered in batches, as the member scrolls. */
const batchSize = 60

interface UploadListProps {
  rows: readonly UploadItem[]
  categories: readonly PathNode[]
  defaults: UploadDefaults
  creditName: string
  onStart: () => void
}

export function UploadList({ rows, categories, defaults, creditName, onStart }: UploadListProps) {
  const { category, language, price, hasDetails } = defaults
  const [shown, setShown] = useState(batchSize)
  // Memoized: rows render again only when these change.
  const rowDefaults = useMemo(
    () => ({ category, language, price, hasDetails }),
    [category, language, price, hasDetails],
  )
  const choices = useMemo(() => listPaths(categories), [categories])
  return (
    <section aria-label="文件列表" className="rounded-lg border border-line bg-surface">
      <ol className="divide-y divide-line">
        {rows.slice(0, shown).map((row) => (
          <UploadRow key={row.id} row={row} choices={choices} defaults={rowDefaults} creditName={creditName} />
        ))}
      </ol>
      {rows.length > shown && (
        <MoreRows count={rows.length - shown} onVisible={() => setShown((before) => before + batchSize)} />
      )}
      <Totals rows={rows} onStart={onStart} />
    </section>
  )
}

function MoreRows({ count, onVisible }: { count: number; onVisible: () => void }) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!row.current) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onVisible(), {
      rootMargin: '600px',
    })
    observer.observe(row.current)
    return () => observer.disconnect()
  })
  return (
    <div ref={row} className="border-t border-line px-5 py-3 text-center text-sm text-muted">
      还有 {count} 个文件
    </div>
  )
}

function Totals({ rows, onStart }: { rows: readonly UploadItem[]; onStart: () => void }) {
  const counts = countRows(rows)
  const { total, startable, busy, submitted, failed, bytes, sentBytes, startedBytes } = counts
  const isOver = busy === 0 && submitted > 0 && startable === failed
  const result = describeResult(counts)
  const text = isOver ? result : [`共 ${total} 个文件，${formatSize(bytes)}`, result].filter(Boolean).join('；')
  const quarters = Math.floor(((total - busy - (startable - failed)) / total) * 4) * 25
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-b-lg border-t border-line bg-surface px-4 py-3 md:px-5">
      <div className="min-w-40 flex-1">
        <p className="text-sm font-medium">{text}</p>
        {/* Screen readers announce the progress in steps of a quarter. */}
        <output className="sr-only">{isOver ? text : busy > 0 && `正在上传，已完成 ${quarters}%`}</output>
        {busy > 0 && (
          <div className="mt-2">
            <UploadProgressBar label="全部文件的进度" value={startedBytes > 0 ? sentBytes / startedBytes : 0} />
          </div>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <ClearButton isBusy={busy > 0} />
        {isOver && <ButtonLink to="/me/document">我的文档</ButtonLink>}
        {isOver && failed === 0 ? (
          <Button variant="primary" onClick={queue.clearPublished}>
            继续上传
          </Button>
        ) : (
          <Button variant="primary" onClick={onStart} disabled={startable === 0} busy={busy > 0 && startable === 0}>
            {startLabel({ busy, startable, failed })}
          </Button>
        )}
      </div>
    </div>
  )
}

function startLabel({ busy, startable, failed }: { busy: number; startable: number; failed: number }): string {
  if (startable === 0) return `正在上传，还有 ${busy} 个`
  return startable === failed ? `重试失败的 ${failed} 个` : `开始上传 ${startable} 个`
}

// Rarely needed.
const Confirm = lazyPart(async () => (await import('#web/ui/overlay/confirm.tsx')).Confirm)

function ClearButton({ isBusy }: { isBusy: boolean }) {
  if (!isBusy) return <Button onClick={queue.clear}>全部清空</Button>
  return (
    <Suspense fallback={<Button disabled>全部清空</Button>}>
      <Confirm
        renderTrigger={(open) => <Button onClick={open}>全部清空</Button>}
        title="停止上传并清空列表？"
        description="正在上传的文件会被取消，已经发布的文档不受影响。"
        action="停止并清空"
        danger
        onConfirm={async () => queue.clear()}
      />
    </Suspense>
  )
}
