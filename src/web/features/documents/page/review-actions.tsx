import { Check, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { type Document, documents } from '#shared/contract/documents.ts'
import { DocumentStatus, publicStatuses } from '#shared/document-status.ts'
import { documentRejectReasons } from '#shared/review-reasons.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ReasonDialog } from '#web/ui/overlay/reason-dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ReviewActionsProps {
  document: Pick<Document, 'id' | 'status' | 'reject_reason' | 'attachment'>
  onChanged: () => void
}

const maxReasonLength = 500
const { InReview, Rejected, Disabled, Pending } = DocumentStatus

/** Reviewers decide where they read. */
export function ReviewActions({ document, onChanged }: ReviewActionsProps) {
  const { id, status, attachment } = document
  const [busy, setBusy] = useState('')
  const [isRejecting, setIsRejecting] = useState(false)
  /** A decision of this reviewer on a document that was pending. */
  const [canUndo, setCanUndo] = useState(false)
  const change = async (to: DocumentStatus, done: string, reason = ''): Promise<boolean> => {
    setBusy(done)
    try {
      const from = isPublic(status) ? publicOnes : [status]
      await api(documents.review, { id: [id], status: to, reason, from, attachment_id: [attachment.id] })
      toast(done)
      onChanged()
      return true
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
      return false
    } finally {
      setBusy('')
    }
  }
  const decide = async (to: DocumentStatus, done: string, reason?: string) => {
    const isDone = await change(to, done, reason)
    if (isDone && status === InReview) setCanUndo(true)
    return isDone
  }
  const undo = async () => {
    if (await change(InReview, '已退回待审核')) setCanUndo(false)
  }
  return (
    <>
      {(status === InReview || status === Rejected) && (
        <Button variant="quiet" size="sm" busy={busy === approved} onClick={() => void decide(Pending, approved)}>
          <Check size={15} aria-hidden />
          通过
        </Button>
      )}
      {status !== Rejected && status !== Disabled && (
        <Button variant="quiet" size="sm" onClick={() => setIsRejecting(true)}>
          <X size={15} aria-hidden />
          不通过
        </Button>
      )}
      {canUndo && status !== InReview && (
        <Button variant="quiet" size="sm" onClick={() => void undo()}>
          <Undo2 size={15} aria-hidden />
          撤销
        </Button>
      )}
      {isRejecting && (
        <ReasonDialog
          title="不通过这份文档"
          action="不通过"
          help="上传者会看到这段话，修改后可以重新提交审核。"
          missing="请写明原因，上传者会看到"
          maxLength={maxReasonLength}
          initial={document.reject_reason}
          suggestions={documentRejectReasons}
          busy={busy === rejected}
          onSubmit={async (reason) => {
            if (await decide(Rejected, rejected, reason)) setIsRejecting(false)
          }}
          onClose={() => setIsRejecting(false)}
        />
      )}
    </>
  )
}

const approved = '已通过'
const rejected = '已设为未通过'
const publicOnes = [...publicStatuses]

/** A conversion may go on between the display and the decision. */
function isPublic(status: DocumentStatus): boolean {
  return publicStatuses.includes(status)
}
