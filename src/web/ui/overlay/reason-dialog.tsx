import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface ReasonDialogProps {
  title: string
  action: string
  help: string
  /** Shown when there is none. */
  missing: string
  maxLength: number
  initial: string
  /** To pick from; what is picked can be changed. */
  suggestions: readonly string[]
  busy: boolean
  onSubmit: (reason: string) => Promise<void>
  onClose: () => void
}

/** Asks for a reason, to pick or to type. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, action, help, missing, maxLength, initial, suggestions, busy, onSubmit, onClose } = props
  const [reason, setReason] = useState(initial)
  const [error, setError] = useState('')
  const check = (text: string) => {
    const tooLong = text.length > maxLength ? `最多 ${maxLength} 个字符` : ''
    const problem = text.trim() === '' ? missing : tooLong
    setError(problem)
    return problem === ''
  }
  const change = (text: string) => {
    setReason(text)
    if (error) check(text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && check(reason)) void onSubmit(reason.trim())
  }
  return (
    <Dialog open onOpenChange={(open) => !open && !busy && onClose()} title={title}>
      <form onSubmit={submit} noValidate className="mt-4">
        <fieldset aria-label="常用原因" className="mb-4 flex flex-wrap gap-2">
          {suggestions.map((suggestion) => (
            <Button key={suggestion} size="sm" onClick={() => change(suggestion)}>
              {suggestion}
            </Button>
          ))}
        </fieldset>
        <TextArea
          label="原因"
          name="reason"
          rows={4}
          value={reason}
          error={error || undefined}
          help={help}
          onChange={change}
          onBlur={() => reason !== '' && check(reason)}
        />
        <div className="mt-6 flex justify-end gap-3">
          <Button onClick={onClose} disabled={busy}>
            取消
          </Button>
          <Button type="submit" variant="danger" busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
