import { Download } from 'lucide-react'
import { useState } from 'react'
import { annotations } from '#shared/contract/reading.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ExportButtonProps {
  /** Of all documents if it is left out. */
  documentId?: number
  label: string
}

/** Saves notes and bookmarks as a Markdown file. */
export function ExportButton({ documentId = 0, label }: ExportButtonProps) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      saveFile(await api(annotations.export, { document_id: documentId }))
    } catch (error) {
      toast(errorMessage(error, '没有导出成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="sm" variant="quiet" busy={busy} onClick={() => void download()}>
      <Download size={14} aria-hidden />
      {label}
    </Button>
  )
}
