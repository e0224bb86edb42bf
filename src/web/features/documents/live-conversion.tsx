import { useEffect, useEffectEvent, useState } from 'react'
import { documents, type Progress } from '#shared/contract/documents.ts'
import { api } from '#web/lib/api.ts'

const waitSeconds = 20
const restMs = 3000

/** How the conversion goes, told as it happens; says when there is something new to show. */
export function LiveConversion({
  document: { id, status },
  onChanged,
}: {
  document: { id: number; status: number }
  onChanged: () => void
}) {
  const [progress, setProgress] = useState<Progress>()
  const note = useEffectEvent((next: Progress | undefined) => {
    setProgress(next)
    if (!next || next.status !== status) onChanged()
  })
  useEffect(() => follow(id, note), [id])
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
        {pages > 0 ? `共 ${pages} 页，已处理 ${read} 页` : '正在打开文件…'}
      </p>
    </div>
  )
}

const barClass = 'h-1.5 w-full max-w-sm accent-accent'

/** Asks on and on, except while nobody looks. */
function follow(id: number, note: (progress: Progress | undefined) => void): () => void {
  const leaving = new AbortController()
  const { signal } = leaving
  let known = ''
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    while (!signal.aborted && !document.hidden) {
      try {
        const reply = await api(documents.progress, { id: [id], wait: known === '' ? 0 : waitSeconds, known })
        if (signal.aborted) return
        if (reply.known !== known) note(reply.document[0])
        known = reply.known
      } catch {
        await new Promise((resolve) => setTimeout(resolve, restMs))
      }
    }
    isAsking = false
  }
  const onSight = () => void ask()
  document.addEventListener('visibilitychange', onSight, { signal })
  void ask()
  return () => {
    leaving.abort()
  }
}
