import { sayOnNextPage } from '#web/lib/parting-words.ts'
import { toast } from '#web/ui/toast.tsx'
import { signOut } from '#web/lib/account.ts'
import type { Session } from '#web/lib/session.ts'

export interface Command {
  title: string
  to: string
  icon: 'home' | 'centre' | 'upload' | 'publish' | 'admin'
}

/** What a member can go to from anywhere. */
export function commandsOf({ user, allowPages }: Session): Command[] {
  const commands: Command[] = [
    { title: '个人主页', to: `/user/${user.id}`, icon: 'home' },
    { title: '个人中心', to: '/me', icon: 'centre' },
    { title: '上传文档', to: '/upload', icon: 'upload' },
    { title: '发布文章', to: '/post', icon: 'publish' },
  ]
  return allowPages.length > 0 ? [...commands, { title: '管理后台', to: '/admin', icon: 'admin' }] : commands
}

export async function leave(): Promise<void> {
  toast('正在退出…')
  await signOut()
  sayOnNextPage('已退出登录')
  location.reload()
}
