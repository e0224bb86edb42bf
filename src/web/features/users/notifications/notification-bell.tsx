import { Bell } from 'lucide-react'
import * as Popover from 'radix-ui/popover'
import { Suspense } from 'react'
import { useUnreadCount, useUnreadPolling } from '#web/features/users/notifications/unread-count.ts'
import { useSession } from '#web/lib/session.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { useOpenOnThisPage } from '#web/ui/overlay/open-on-this-page.ts'

const LatestNotifications = lazyPart(
  async () => (await import('#web/features/users/notifications/latest-notifications.tsx')).LatestNotifications,
)

/** The number of unread notifications, and the latest of them. */
export function NotificationBell() {
  const { user } = useSession()
  useUnreadPolling(user.id)
  const count = useUnreadCount()
  const [open, setOpen] = useOpenOnThisPage()
  const unread = count > 0 ? `${badgeText(count)} 条未读通知` : ''
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={unread ? `通知，${unread}` : '通知'}
        title="通知"
        className="relative inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink"
      >
        <Bell size={20} aria-hidden />
        {count > 0 && (
          <span
            aria-hidden
            className="absolute top-0.5 left-5 min-w-4.5 rounded-full bg-danger px-1 text-center text-xs leading-4.5 whitespace-nowrap font-medium text-on-danger tabular-nums"
          >
            {badgeText(count)}
          </span>
        )}
      </Popover.Trigger>
      <p aria-live="polite" className="sr-only">
        {unread && `您有 ${unread}`}
      </p>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="最新通知"
          className="z-50 w-[min(24rem,calc(100vw-1.5rem))] animate-appear rounded-lg border border-line bg-surface shadow-soft"
        >
          <Suspense
            fallback={
              <div className="p-4">
                <SkeletonRows count={5} />
              </div>
            }
          >
            <LatestNotifications />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count)
}
