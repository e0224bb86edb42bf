import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { reading } from '#shared/contract/reading.ts'
import { attempt } from '#web/features/documents/reader/notes/attempt.ts'
import { sentPlaces } from '#web/features/documents/reader/position/sent-places.ts'
import { api } from '#web/lib/api.ts'
import { useStore } from '#web/lib/store.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'

/** Marks a document as read to the end, or not. The server does so itself when the last page is reached. */
export function FinishedButton({ document: { id, uuid } }: { document: { id: number; uuid: string } }) {
  const { data, refetch } = useQuery(uuid, () => api(reading.progress, { uuid }))
  const sent = useStore(sentPlaces, 0)
  const asked = useRef(sent)
  const [busy, setBusy] = useState(false)
  const isFinished = data !== undefined && data.finished_at !== null
  useEffect(() => {
    if (asked.current === sent) return
    asked.current = sent
    refetch()
  }, [sent, refetch])
  const toggle = async () => {
    setBusy(true)
    await attempt(() => api(reading.finish, { document_id: id, is_finished: !isFinished }))
    setBusy(false)
    refetch()
  }
  return (
    <Button size="sm" variant="quiet" busy={busy} aria-pressed={isFinished} onClick={() => void toggle()}>
      <Check size={14} className={isFinished ? 'text-success' : ''} aria-hidden />
      {isFinished ? '已读完' : '标为已读完'}
    </Button>
  )
}
