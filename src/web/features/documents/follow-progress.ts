import { useEffect, useEffectEvent, useState } from 'react'
import { documents, type Progress } from '#shared/contract/documents.ts'
import { api } from '#web/lib/api.ts'

const waitSeconds = 20
const restMs = 3000

/** How far documents are, told as it happens; `onNews` when one of them is no longer what is shown of it. */
export function useProgress(
  underWay: readonly { id: number; status: number; first?: number }[],
  onNews: () => void,
): ReadonlyMap<number, Progress> {
  const [progress, setProgress] = useState<ReadonlyMap<number, Progress>>(new Map())
  const note = useEffectEvent((news: Progress[]) => {
    setProgress(new Map(news.map((one) => [one.id, one])))
    const known = new Map(news.map((one) => [one.id, one]))
    const isOld = ({ id, status, first }: (typeof underWay)[number]) =>
      known.get(id)?.status !== status || (first !== undefined && known.get(id)?.first !== first)
    if (underWay.some(isOld)) onNews()
  })
  const ids = underWay.map(({ id }) => id).join(',')
  useEffect(() => {
    if (ids === '') return undefined
    return follow(ids.split(',').map(Number), note)
  }, [ids])
  return progress
}

/** Asks on and on, except while nobody looks. */
function follow(ids: number[], note: (news: Progress[]) => void): () => void {
  const leaving = new AbortController()
  const { signal } = leaving
  let known = ''
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    while (!signal.aborted && !document.hidden) {
      try {
        const reply = await api(documents.progress, { id: ids, wait: known === '' ? 0 : waitSeconds, known })
        if (signal.aborted) return
        if (reply.known !== known) note(reply.document)
        known = reply.known
      } catch {
        await new Promise((resolve) => setTimeout(resolve, restMs))
      }
    }
    isAsking = false
  }
  document.addEventListener('visibilitychange', () => void ask(), { signal })
  void ask()
  return () => leaving.abort()
}
