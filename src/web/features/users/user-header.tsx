import type { User } from '#shared/contract/user.ts'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

interface UserHeaderProps {
  user: Pick<User, 'username' | 'avatar' | 'signature' | 'is_vip'>
}

export function UserHeader({ user }: UserHeaderProps) {
  return (
    <div className="flex min-w-0 items-center gap-4">
      <Avatar src={user.avatar} />
      <div className="min-w-0">
        <h1 className="flex flex-wrap items-center gap-2 text-xl">
          {user.username}
          <VipBadge isVip={user.is_vip} />
        </h1>
        <p className="mt-1 line-clamp-2 text-sm text-muted">{user.signature || '这个人还没有写签名'}</p>
      </div>
    </div>
  )
}
