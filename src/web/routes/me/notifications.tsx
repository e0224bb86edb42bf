import { useRevalidator } from 'react-router'
import type { Route } from './+types/notifications.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { markRead } from '#web/features/users/notifications/mark-read.ts'
import { NotificationList } from '#web/features/users/notifications/notification-list.tsx'
import { NotificationTabs } from '#web/features/users/notifications/notification-tabs.tsx'
import { useUnreadCount } from '#web/features/users/notifications/unread-count.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { BellDrawing } from '#web/ui/drawings/bell.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) => {
  const unread = url.searchParams.get('unread') === '1'
  return {
    unread,
    now: Date.now(),
    ...(await api(notifications.list, { unread, page: parsePage(url.searchParams), size })),
  }
}).client

export default function MyNotifications({ loaderData: { unread, now, total, notification } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const count = useUnreadCount()
  const readAll = async () => {
    if (await markRead({ all: true })) await revalidate()
  }
  return (
    <Card
      title="我的通知"
      aside={
        (count > 0 || notification.some(({ is_read }) => !is_read)) && (
          <Button size="sm" onClick={() => void readAll()}>
            全部标为已读
          </Button>
        )
      }
    >
      <NotificationTabs active={unread ? 'unread' : 'all'} />
      <MemberList
        total={total}
        size={size}
        rows={notification.length}
        firstPage={unread ? '?unread=1' : '?page=1'}
        empty={
          unread ? (
            <EmptyState
              title="没有未读的通知"
              drawing={<BellDrawing />}
              action={<ButtonLink to="/me/notification">查看全部</ButtonLink>}
            />
          ) : (
            <EmptyState title="还没有通知" drawing={<BellDrawing />}>
              有人回复或评论、审核有了结果、文档售出或转换失败时，会列在这里。
            </EmptyState>
          )
        }
      >
        <NotificationList rows={notification} now={now} />
      </MemberList>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的通知' })
}
