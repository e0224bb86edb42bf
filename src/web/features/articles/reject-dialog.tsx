import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'

interface RejectDialogProps {
  lastReason: string
  busy: boolean
  onReject: (reason: string) => Promise<void>
  onClose: () => void
}

const maxReasonLength = 2048

/** A rejection needs a reason, which the author reads. */
export function RejectDialog({ lastReason, busy, onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState(lastReason)
  const [error, setError] = useState('')
  const check = (text: string) => {
    const tooLong = text.length > maxReasonLength ? `最多 ${maxReasonLength} 个字符` : ''
    const problem = text.trim() === '' ? '请写明原因，作者会看到' : tooLong
    setError(problem)
    return problem === ''
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && check(reason)) void onReject(reason.trim())
  }
  return (
    <Dialog open onOpenChange={(open) => !open && !busy && onClose()} title="不通过这篇文章">
      <form onSubmit={submit} noValidate className="mt-4">
        <TextArea
          label="原因"
          name="reason"
          rows={4}
          value={reason}
          error={error || undefined}
          help="作者会看到这段话，修改后可以重新提交审核。"
          onChange={(text) => {
            setReason(text)
            if (error) check(text)
          }}
          onBlur={() => reason !== '' && check(reason)}
        />
        <div className="mt-6 flex justify-end gap-3">
          <Button onClick={onClose} disabled={busy}>
            取消
          </Button>
          <Button type="submit" variant="danger" busy={busy}>
            不通过
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
