import { Download } from 'lucide-react'
import { useState } from 'react'
import { describeProblem, startDownload } from '#web/features/documents/download/start-download.ts'
import { useTerms } from '#web/features/documents/download/terms.ts'
import { documentPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Downloads a document that was just bought, at no further cost. The member reads on where the site lets buyers. */
export function DownloadNowButton({ id }: { id: number }) {
  const [busy, setBusy] = useState(false)
  const readsOnline = useSite().settings.download.enable_paid_reading
  const forReading = useTerms(id)?.reason === 'documents.previewOnly'
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
  const path = documentPath({ uuid: String(id) })
  if (forReading) {
    return (
      <ButtonLink to={path} variant="primary">
        在线阅读
      </ButtonLink>
    )
  }
  return (
    <>
      <Button variant="primary" busy={busy} onClick={() => void download()}>
        {!busy && <Download size={16} aria-hidden />}
        立即下载
      </Button>
      {readsOnline && <ButtonLink to={path}>在线阅读</ButtonLink>}
    </>
  )
}
