import { Download } from 'lucide-react'
import { useState } from 'react'
import { describeProblem, startDownload } from '#web/features/documents/download/start-download.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** For a document that was just bought: it must cost nothing more. */
export function DownloadNowButton({ id }: { id: number }) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      await startDownload({ id, cost: 0 })
    } catch (error) {
      toast(describeProblem(error), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="primary" busy={busy} onClick={() => void download()}>
      {!busy && <Download size={16} aria-hidden />}
      立即下载
    </Button>
  )
}
