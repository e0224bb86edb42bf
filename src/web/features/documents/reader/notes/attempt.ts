import { errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Says so when it fails. */
export async function attempt(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
  }
}
