import type { Reply } from '#shared/endpoint.ts'
import type { users } from '#shared/contract/users.ts'
import { refreshRights, signIn } from '#web/lib/account.ts'
import { toast } from '#web/ui/toast.tsx'

/** Signed in, with all that follows from it; a member without rights is still a member. */
export async function enter(reply: Reply<typeof users.login>): Promise<void> {
  signIn(reply)
  await refreshRights().catch(() => toast('获取权限失败，请稍后刷新页面', 'danger'))
}
