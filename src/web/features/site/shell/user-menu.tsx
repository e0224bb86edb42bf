import {
  Coins,
  Crown,
  History,
  House,
  LayoutDashboard,
  LibraryBig,
  LogOut,
  NotebookPen,
  PenLine,
  Upload,
  UserRound,
  UserRoundCheck,
} from 'lucide-react'
import { CheckInCommand } from '#web/features/users/check-in/check-in-button.tsx'
import { userCommands, signOutAndReload } from '#web/features/site/shell/user-commands.ts'
import { useSite } from '#web/domain/site.ts'
import { useSession } from '#web/lib/session.ts'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { DropdownMenu, MenuAction, MenuLink, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'

export function UserMenu() {
  const session = useSession()
  const { user } = session
  const { settings } = useSite()
  return (
    <DropdownMenu
      trigger={
        <button type="button" aria-label={`${user.username} 的菜单`} className="rounded-full">
          <Avatar src={user.avatar} size={42} />
        </button>
      }
      header={
        <>
          <p className="flex max-w-60 items-center gap-1.5 px-3 pt-2 text-sm font-semibold">
            <span className="truncate">{user.username}</span>
            <VipBadge isVip={user.is_vip} />
          </p>
          <p className="px-3 pb-1 text-sm text-muted tabular-nums">
            {user.credit_count} {settings.system.credit_name}
          </p>
          <MenuSeparator />
        </>
      }
    >
      <CheckInCommand />
      {userCommands(session, settings).map(({ title, to, icon }) => {
        const Icon = icons[icon]
        return (
          <MenuLink key={to} to={to} icon={<Icon size={16} className="text-muted" aria-hidden />}>
            {title}
          </MenuLink>
        )
      })}
      <MenuSeparator />
      <MenuAction
        onSelect={() => void signOutAndReload()}
        icon={<LogOut size={16} className="text-muted" aria-hidden />}
      >
        退出登录
      </MenuAction>
    </DropdownMenu>
  )
}

const icons = {
  home: House,
  account: UserRound,
  history: History,
  notes: NotebookPen,
  collections: LibraryBig,
  follows: UserRoundCheck,
  vip: Crown,
  topUp: Coins,
  upload: Upload,
  publish: PenLine,
  admin: LayoutDashboard,
}
