import { lazy, Suspense, useState } from 'react'
import { documents, type Document } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

const DocumentEditDialog = lazy(async () => ({
  default: (await import('#web/features/documents/document-edit-dialog.tsx')).DocumentEditDialog,
}))

interface EditButtonProps {
  document: Pick<Document, 'id' | 'title'>
  onSaved: () => void
}

/** Lists know less than the form needs: the rest is fetched when someone wants to edit. */
export function EditButton({ document: { id, title }, onSaved }: EditButtonProps) {
  const [whole, setWhole] = useState<Document>()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const edit = async () => {
    setBusy(true)
    try {
      setWhole(await api(documents.get, { id }))
      setOpen(true)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '没有打开，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button look="quiet" size="sm" busy={busy} onClick={() => void edit()} aria-label={`编辑“${title}”`}>
        编辑
      </Button>
      {whole && (
        <Suspense>
          <DocumentEditDialog document={whole} open={open} onOpenChange={setOpen} onSaved={onSaved} />
        </Suspense>
      )}
    </>
  )
}
