import type { User } from '#shared/contract/user.ts'
import { Avatar } from '#web/ui/avatar.tsx'

interface UserHeaderProps {
  user: Pick<User, 'username' | 'avatar' | 'signature' | 'is_vip'>
  vip: { enable: boolean; icon: string }
}

export function UserHeader({ user, vip }: UserHeaderProps) {
  return (
    <div className="flex min-w-0 items-center gap-4">
      <Avatar src={user.avatar} />
      <div className="min-w-0">
        <h1 className="flex flex-wrap items-center gap-2 text-xl">
          {user.username}
          {vip.enable && user.is_vip && <VipBadge icon={vip.icon} />}
        </h1>
        <p className="mt-1 line-clamp-2 text-sm text-muted">{user.signature || '这个人还没有写签名'}</p>
      </div>
    </div>
  )
}

function VipBadge({ icon }: { icon: string }) {
  if (icon) return <img src={icon} alt="VIP" className="h-5 w-auto" />
  return <span className="rounded-sm bg-warning-soft px-1.5 py-0.5 text-xs font-semibold text-warning">VIP</span>
}
