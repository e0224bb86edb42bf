import { notifications } from '#shared/contract/notifications.ts'
import { refreshUnreadCount } from '#web/features/users/notifications/unread-count.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Says whether it worked; if not, the member was told. */
export async function markRead(target: { id: number[] } | { all: true }): Promise<boolean> {
  try {
    await api(notifications.read, target)
    await refreshUnreadCount()
    return true
  } catch (error) {
    toast(errorMessage(error, '没有标为已读，请稍后重试'), 'danger')
    return false
  }
}
