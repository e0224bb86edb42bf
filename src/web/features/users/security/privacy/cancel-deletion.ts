import { privacy } from '#shared/contract/privacy.ts'
import { refreshUser } from '#web/domain/account.ts'
import { api } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Whether it was cancelled; the member is told either way. */
export async function cancelDeletion(): Promise<boolean> {
  try {
    await api(privacy.cancelDeletion)
    await refreshUser()
    toast('已取消注销，账号没有变化')
    return true
  } catch (error) {
    toast(error instanceof Error ? error.message : '操作失败，请稍后重试', 'danger')
    return false
  }
}
