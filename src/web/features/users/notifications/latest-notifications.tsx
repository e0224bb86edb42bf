import { Link } from 'react-router'
import { notifications } from '#shared/contract/notifications.ts'
import { markRead } from '#web/features/users/notifications/mark-read.ts'
import { NotificationEntry } from '#web/features/users/notifications/notification-entry.tsx'
import { useUnreadCount } from '#web/features/users/notifications/unread-count.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { BellDrawing } from '#web/ui/drawings/bell.tsx'

const size = 6

/** In the dropdown of the bell. */
export function LatestNotifications() {
  const { data, error, isLoading, refetch } = useQuery('', async () => ({
    ...(await api(notifications.list, { size })),
    now: Date.now(),
  }))
  const unread = useUnreadCount()
  const readAll = async () => {
    if (await markRead({ all: true })) refetch()
  }
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3 border-b border-line px-4">
        <h2 className="text-base">通知</h2>
        {unread > 0 && (
          <Button variant="quiet" size="sm" onClick={() => void readAll()}>
            全部标为已读
          </Button>
        )}
      </div>
      <div className="max-h-[min(26rem,60dvh)] overflow-y-auto">
        {data ? (
          data.notification.length > 0 ? (
            <ul className="divide-y divide-line">
              {data.notification.map((item) => (
                <li key={item.id} className="px-4 py-3">
                  <NotificationEntry
                    notification={item}
                    now={data.now}
                    onOpen={() => item.is_read || void markRead({ id: [item.id] })}
                  />
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState title="还没有通知" drawing={<BellDrawing />}>
              回复、审核结果和订单的消息会出现在这里。
            </EmptyState>
          )
        ) : isLoading ? (
          <div className="p-4">
            <SkeletonRows count={5} />
          </div>
        ) : (
          <ErrorState message={errorMessage(error, '通知没有加载成功')} retry={refetch} />
        )}
      </div>
      <Link
        to="/me/notification"
        className="flex h-11 items-center justify-center border-t border-line text-sm text-muted hover:text-accent"
      >
        查看全部通知
      </Link>
    </>
  )
}
