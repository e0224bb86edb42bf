import { useEffect, useEffectEvent, useState } from 'react'
import { documents, type Progress } from '#shared/contract/documents.ts'
import type { DocumentStatus } from '#shared/document-status.ts'
import { api } from '#web/lib/api.ts'

const longPollSeconds = 20
const retryMs = 3000

interface WatchedDocument {
  id: number
  status: DocumentStatus
  /** The number of pages that are shown while the others are converted. */
  first?: number
  pages?: number
}

/** The progress of conversions by long polling; `onOutdated` is called when a document differs from what is shown. */
export function useProgress(
  watched: readonly WatchedDocument[],
  onOutdated: () => void,
): ReadonlyMap<number, Progress> {
  const [progress, setProgress] = useState<ReadonlyMap<number, Progress>>(new Map())
  const update = useEffectEvent((latest: Progress[]) => {
    const byId = new Map(latest.map((item) => [item.id, item]))
    setProgress(byId)
    const isOutdated = ({ id, status, first, pages }: WatchedDocument) => {
      const now = byId.get(id)
      const isOther = (shown: number | undefined, latest: number | undefined) => shown !== undefined && shown !== latest
      return now?.status !== status || isOther(first, now.first) || isOther(pages, now.pages)
    }
    if (watched.some(isOutdated)) onOutdated()
  })
  const ids = watched.map(({ id }) => id).join(',')
  useEffect(() => {
    if (ids === '') return undefined
    return pollProgress(ids.split(',').map(Number), update)
  }, [ids])
  return progress
}

/** Pauses while the page is hidden. */
function pollProgress(ids: number[], onChange: (latest: Progress[]) => void): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let known = ''
  let isPolling = false
  const poll = async () => {
    if (isPolling) return
    isPolling = true
    while (!signal.aborted && !document.hidden) {
      try {
        const reply = await api(documents.progress, { id: ids, wait: known === '' ? 0 : longPollSeconds, known })
        if (signal.aborted) return
        if (reply.known !== known) onChange(reply.document)
        known = reply.known
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
    isPolling = false
  }
  document.addEventListener('visibilitychange', () => void poll(), { signal })
  void poll()
  return () => controller.abort()
}
