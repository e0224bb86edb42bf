import type { Reply } from '#shared/endpoint.ts'
import type { users } from '#shared/contract/users.ts'
import { refreshRights, signIn } from '#web/domain/account.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Starts the session and loads the permissions; without those the member is still signed in. */
export async function completeSignIn(reply: Reply<typeof users.login>): Promise<void> {
  signIn(reply)
  await refreshRights().catch(() => toast('获取权限失败，请稍后刷新页面', 'danger'))
}
