import { downloads } from '#shared/contract/downloads.ts'
import { Suspense, useState } from 'react'
import type { DownloadableDocument } from '#web/features/documents/download/download-dialog.tsx'
import { describeProblem, startDownload } from '#web/features/documents/download/start-download.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { toast } from '#web/ui/overlay/toast.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const DownloadDialog = lazyOverlay(
  async () => (await import('#web/features/documents/download/download-dialog.tsx')).DownloadDialog,
)

/** A free download starts at once; for any other the dialog opens. */
export function DownloadAgainButton({ document }: { document: DownloadableDocument }) {
  const [busy, setBusy] = useState(false)
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  const downloadAgain = async () => {
    setBusy(true)
    try {
      const { cost, refusal } = await api(downloads.terms, { id: document.id })
      if (cost === 0 && refusal === '') {
        await startDownload({ id: document.id, cost })
        return
      }
      setOpen(true)
    } catch (error) {
      toast(describeProblem(error), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button size="sm" busy={busy} onClick={() => void downloadAgain()} aria-label={`再次下载“${document.title}”`}>
        再次下载
      </Button>
      {isMounted && (
        <Suspense>
          <DownloadDialog document={document} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
