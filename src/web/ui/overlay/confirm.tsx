import { useState, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface ConfirmProps {
  /** The button that opens the dialog. */
  renderTrigger: (open: () => void) => ReactNode
  title: string
  description: ReactNode
  action: string
  danger?: boolean
  onConfirm: () => Promise<void>
}

/** Asks before an action that cannot be undone, and stays open until it is finished. */
export function Confirm({ renderTrigger, title, description, action, danger = false, onConfirm }: ConfirmProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  return (
    <>
      {renderTrigger(() => setOpen(true))}
      <Dialog open={open} onOpenChange={(next) => !busy && setOpen(next)} title={title} description={description}>
        <div className="mt-6 flex justify-end gap-3">
          <Button onClick={() => setOpen(false)} disabled={busy}>
            取消
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
