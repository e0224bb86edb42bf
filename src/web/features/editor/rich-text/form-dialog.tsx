import type { FormEvent, ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface FormDialogProps {
  title: string
  action: string
  /** Returns whether the dialog closes. */
  submit: () => boolean
  close: () => void
  aside?: ReactNode
  children: ReactNode
}

/** A dialog with a few fields. */
export function FormDialog({ title, action, submit, close, aside, children }: FormDialogProps) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    // The event would bubble to the form of the article.
    event.stopPropagation()
    if (submit()) close()
  }
  return (
    <Dialog open onOpenChange={close} title={title}>
      <form method="post" noValidate onSubmit={send} className="mt-4 space-y-4">
        {children}
        <div className="flex flex-wrap justify-end gap-3">
          {aside}
          <Button onClick={close}>取消</Button>
          <Button type="submit" variant="primary">
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
