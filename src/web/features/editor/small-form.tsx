import type { FormEvent, ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface SmallFormProps {
  title: string
  action: string
  /** Gives whether it is done with. */
  submit: () => boolean
  close: () => void
  aside?: ReactNode
  children: ReactNode
}

/** A few fields above the page. */
export function SmallForm({ title, action, submit, close, aside, children }: SmallFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    // The page below is a form as well, and hears what happens in here.
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
          <Button type="submit" look="primary">
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
