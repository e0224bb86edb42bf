import { setFlash } from '#web/lib/flash.ts'
import { toast } from '#web/ui/overlay/toast.tsx'
import { signOut } from '#web/domain/account.ts'
import { canPublish, canUpload } from '#web/domain/contributions.ts'
import { joinVipPath, sellsVip, takesMoney, topUpPath } from '#web/domain/orders.ts'
import type { Site } from '#web/domain/site.ts'
import type { Session } from '#web/lib/session.ts'

export interface Command {
  title: string
  to: string
  icon:
    | 'home'
    | 'account'
    | 'history'
    | 'notes'
    | 'collections'
    | 'follows'
    | 'vip'
    | 'topUp'
    | 'upload'
    | 'publish'
    | 'admin'
}

/** The links of the user menu. */
export function userCommands(session: Session, settings: Site['settings']): Command[] {
  const { user, allowPages } = session
  const links: (Command | false)[] = [
    { title: '个人主页', to: `/user/${user.id}`, icon: 'home' },
    { title: '个人中心', to: '/me', icon: 'account' },
    { title: '阅读记录', to: '/me/history', icon: 'history' },
    { title: '我的笔记', to: '/me/notes', icon: 'notes' },
    { title: '我的文集', to: '/me/collections', icon: 'collections' },
    { title: '我的关注', to: '/me/follows', icon: 'follows' },
    sellsVip(settings) && { title: user.is_vip ? '续费 VIP' : '开通 VIP', to: joinVipPath, icon: 'vip' },
    takesMoney(settings, session) && { title: `${settings.system.credit_name}充值`, to: topUpPath, icon: 'topUp' },
    canUpload(session) && { title: '上传文档', to: '/upload', icon: 'upload' },
    canPublish(session) && { title: '发布文章', to: '/post', icon: 'publish' },
    allowPages.length > 0 && { title: '管理后台', to: '/admin', icon: 'admin' },
  ]
  return links.filter((link) => link !== false)
}

export async function signOutAndReload(): Promise<void> {
  toast('正在退出…')
  await signOut()
  setFlash('已退出登录')
  location.reload()
}
