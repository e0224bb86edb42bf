import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { documents } from '#shared/contract/documents.ts'
import type { DocumentStatus } from '#shared/document-status.ts'
import { DocumentEditDialog, type Editable } from '#web/features/documents/document-edit-dialog.tsx'
import { ReplaceButton } from '#web/features/documents/replace/replace-button.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface OwnerActionsProps {
  document: Editable & { user_id: number; ext: string; size: number; status: DocumentStatus }
  canEdit: boolean
  canDelete: boolean
  /** The path to go to after deleting the document. */
  afterDelete: string
  onChanged: () => void
}

export function OwnerActions({ document, canEdit, canDelete, afterDelete, onChanged }: OwnerActionsProps) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const remove = async () => {
    try {
      await api(documents.delete, { id: [document.id] })
      toast('已移到回收站')
      await navigate(afterDelete, { replace: true })
    } catch (error) {
      toast(errorMessage(error, '删除没有成功，请稍后重试'), 'danger')
    }
  }
  return (
    <>
      {canEdit && (
        <Button variant="quiet" size="sm" onClick={() => setOpen(true)}>
          <Pencil size={15} aria-hidden />
          编辑
        </Button>
      )}
      {canEdit && <ReplaceButton document={document} onReplaced={onChanged} />}
      {canDelete && (
        <Confirm
          title="删除这份文档？"
          description="文档会移到回收站，其他人不能再看到和下载它。"
          action="删除"
          danger
          onConfirm={remove}
          renderTrigger={(open) => (
            <Button variant="quiet" size="sm" onClick={open}>
              <Trash2 size={15} aria-hidden />
              删除
            </Button>
          )}
        />
      )}
      <DocumentEditDialog document={document} open={open} onOpenChange={setOpen} onSaved={onChanged} />
    </>
  )
}
