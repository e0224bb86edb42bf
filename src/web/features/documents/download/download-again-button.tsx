import { downloads } from '#shared/contract/downloads.ts'
import { lazy, Suspense, useState } from 'react'
import { ApiError } from '#shared/errors.ts'
import type { DownloadableDocument } from '#web/features/documents/download/download-dialog.tsx'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

const DownloadDialog = lazy(async () => ({
  default: (await import('#web/features/documents/download/download-dialog.tsx')).DownloadDialog,
}))

/** A free download starts at once; for any other the dialog opens. */
export function DownloadAgainButton({ document }: { document: DownloadableDocument }) {
  const [busy, setBusy] = useState(false)
  const [open, setOpen] = useState(false)
  const [isMounted, setIsMounted] = useState(false)
  const downloadAgain = async () => {
    setBusy(true)
    try {
      const { cost, refusal } = await api(downloads.terms, { id: document.id })
      if (cost === 0 && refusal === '') {
        const { url } = await api(downloads.download, { id: document.id })
        location.assign(url)
        toast('开始下载')
        return
      }
      setIsMounted(true)
      setOpen(true)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '下载没有成功，请稍后重试', 'danger')
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
