import { Suspense, useState } from 'react'
import { documents, type Document } from '#shared/contract/documents.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const DocumentEditDialog = lazyOverlay(
  async () => (await import('#web/features/documents/document-edit-dialog.tsx')).DocumentEditDialog,
)

interface EditButtonProps {
  id: number
  title: string
  onSaved: () => void
}

/** Lists have fewer fields than the form needs: the document is loaded when the member edits it. */
export function EditButton({ id, title, onSaved }: EditButtonProps) {
  const [document, setDocument] = useState<Document>()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const edit = async () => {
    setBusy(true)
    try {
      setDocument(await api(documents.get, { id }))
      setOpen(true)
    } catch (error) {
      toast(errorMessage(error, '没有打开，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="quiet" size="sm" busy={busy} onClick={() => void edit()} aria-label={`编辑“${title}”`}>
        编辑
      </Button>
      {document && (
        <Suspense>
          <DocumentEditDialog document={document} open={open} onOpenChange={setOpen} onSaved={onSaved} />
        </Suspense>
      )}
    </>
  )
}
