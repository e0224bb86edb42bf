import { useState } from 'react'
import { errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Something that a button does: once at a time, with a message should it fail. */
export function useAction(action: () => Promise<void>): { busy: boolean; run: () => void } {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await action()
    } catch (error) {
      toast(errorMessage(error, '操作失败，请稍后重试'), 'danger')
    }
    setBusy(false)
  }
  return { busy, run: () => void run() }
}
