import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/textarea.tsx'

interface RejectDialogProps {
  /** The reason given the last time. */
  before: string
  busy: boolean
  onReject: (reason: string) => Promise<void>
  onClose: () => void
}

const longest = 2048

/** An author who is told no is told why. */
export function RejectDialog({ before, busy, onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState(before)
  const [error, setError] = useState('')
  const check = (text: string) => {
    const wrong = text.trim() === '' ? '请写明原因，作者会看到' : text.length > longest ? `最多 ${longest} 个字符` : ''
    setError(wrong)
    return wrong === ''
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
          <Button type="submit" look="danger" busy={busy}>
            不通过
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
