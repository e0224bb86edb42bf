import { UserMenu } from '#web/features/site/shell/user-menu.tsx'
import { NotificationBell } from '#web/features/users/notifications/notification-bell.tsx'

/** At the end of the header, for members alone. */
export function MemberControls() {
  return (
    <>
      <NotificationBell />
      <UserMenu />
    </>
  )
}
