import { lazy, Suspense, useState } from 'react'
import { documents } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

const DownloadDialog = lazy(async () => ({
  default: (await import('#web/features/documents/download-dialog.tsx')).DownloadDialog,
}))

interface AgainButtonProps {
  document: { id: number; title: string; ext: string; size: number }
}

/** What costs nothing comes at once; what does is said first. */
export function AgainButton({ document }: AgainButtonProps) {
  const [busy, setBusy] = useState(false)
  const [open, setOpen] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const fetchAgain = async () => {
    setBusy(true)
    try {
      const { cost, refusal } = await api(documents.terms, { id: document.id })
      if (cost === 0 && refusal === '') {
        const { url } = await api(documents.download, { id: document.id })
        location.assign(url)
        toast('开始下载')
        return
      }
      setIsWanted(true)
      setOpen(true)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '下载没有成功，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button size="sm" busy={busy} onClick={() => void fetchAgain()} aria-label={`再次下载“${document.title}”`}>
        再次下载
      </Button>
      {isWanted && (
        <Suspense>
          <DownloadDialog document={document} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
