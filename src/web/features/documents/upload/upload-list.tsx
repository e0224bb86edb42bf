import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { formatSize } from '#shared/format.ts'
import { Bar } from '#web/features/documents/upload/bar.tsx'
import { queue } from '#web/features/documents/upload/own-queue.ts'
import { countRows, type Plan, type Row } from '#web/features/documents/upload/row.ts'
import { UploadRow } from '#web/features/documents/upload/upload-row.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'

const step = 60

interface UploadListProps {
  rows: readonly Row[]
  plan: Plan
  coin: string
  onBegin: () => void
}

export function UploadList({ rows, plan, coin, onBegin }: UploadListProps) {
  const { language, price, hasDetails } = plan
  const [shown, setShown] = useState(step)
  // Kept the same while it says the same: the rows are told apart by it.
  const [forRows, setForRows] = useState({ language, price, hasDetails })
  if (forRows.language !== language || forRows.price !== price || forRows.hasDetails !== hasDetails)
    setForRows({ language, price, hasDetails })
  return (
    <section aria-label="文件列表" className="rounded-lg border border-line bg-surface">
      <ol className="divide-y divide-line">
        {rows.slice(0, shown).map((row) => (
          <UploadRow key={row.id} row={row} plan={forRows} coin={coin} />
        ))}
      </ol>
      {rows.length > shown && <More left={rows.length - shown} onSeen={() => setShown((before) => before + step)} />}
      <Totals rows={rows} onBegin={onBegin} />
    </section>
  )
}

/** The rest of a long list comes as one gets there. */
function More({ left, onSeen }: { left: number; onSeen: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!mark.current) return undefined
    const sight = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), { rootMargin: '600px' })
    sight.observe(mark.current)
    return () => sight.disconnect()
  })
  return (
    <div ref={mark} className="border-t border-line px-5 py-3 text-center text-sm text-muted">
      还有 {left} 个文件
    </div>
  )
}

function Totals({ rows, onBegin }: { rows: readonly Row[]; onBegin: () => void }) {
  const { total, startable, busy, published, failed, bytes, done, of } = countRows(rows)
  const isOver = busy === 0 && published > 0 && startable === failed
  const text = isOver
    ? `已发布 ${published} 个${failed > 0 ? `，失败 ${failed} 个` : ''}`
    : `共 ${total} 个文件，${formatSize(bytes)}${published > 0 ? `；已发布 ${published} 个` : ''}${failed > 0 ? `，失败 ${failed} 个` : ''}`
  const quarters = Math.floor(((total - busy - (startable - failed)) / total) * 4) * 25
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-b-lg border-t border-line bg-surface px-4 py-3 md:px-5">
      <div className="min-w-40 flex-1">
        <p className="text-sm font-medium">{text}</p>
        {/* Those who hear the page are told now and then, not of every file. */}
        <output className="sr-only">{isOver ? text : busy > 0 && `正在上传，已完成 ${quarters}%`}</output>
        {busy > 0 && (
          <div className="mt-2">
            <Bar label="全部文件的进度" value={of > 0 ? done / of : 0} />
          </div>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <ClearButton isBusy={busy > 0} />
        {isOver && <ButtonLink to="/me/document">我的文档</ButtonLink>}
        {isOver && failed === 0 ? (
          <Button look="primary" onClick={queue.clearPublished}>
            继续上传
          </Button>
        ) : (
          <Button look="primary" onClick={onBegin} disabled={startable === 0} busy={busy > 0 && startable === 0}>
            {labelFor({ busy, startable, failed })}
          </Button>
        )}
      </div>
    </div>
  )
}

function labelFor({ busy, startable, failed }: { busy: number; startable: number; failed: number }): string {
  if (startable === 0) return `正在上传，还有 ${busy} 个`
  return startable === failed ? `重试失败的 ${failed} 个` : `开始上传 ${startable} 个`
}

// Few ever need it.
const Confirm = lazy(async () => ({ default: (await import('#web/ui/confirm.tsx')).Confirm }))

function ClearButton({ isBusy }: { isBusy: boolean }) {
  if (!isBusy) return <Button onClick={queue.clear}>全部清空</Button>
  return (
    <Suspense fallback={<Button disabled>全部清空</Button>}>
      <Confirm
        renderTrigger={(ask) => <Button onClick={ask}>全部清空</Button>}
        title="停止上传并清空列表？"
        description="正在上传的文件会被取消，已经发布的文档不受影响。"
        action="停止并清空"
        danger
        onConfirm={async () => queue.clear()}
      />
    </Suspense>
  )
}
