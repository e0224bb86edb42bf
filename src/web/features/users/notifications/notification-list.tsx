import { Check, Trash2 } from 'lucide-react'
import { useRevalidator } from 'react-router'
import { type Notification, notifications } from '#shared/contract/notifications.ts'
import { markRead } from '#web/features/users/notifications/mark-read.ts'
import { NotificationEntry } from '#web/features/users/notifications/notification-entry.tsx'
import { refreshUnreadCount } from '#web/features/users/notifications/unread-count.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { AnswerButton } from '#web/features/users/notifications/answer-button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The member's notifications, each to be read, marked as read and deleted. */
export function NotificationList({ rows, now }: { rows: readonly Notification[]; now: number }) {
  const { revalidate } = useRevalidator()
  const read = async (id: number) => {
    if (await markRead({ id: [id] })) await revalidate()
  }
  const remove = async (id: number) => {
    try {
      await api(notifications.delete, { id: [id] })
      toast('已删除')
      await refreshUnreadCount()
    } catch (error) {
      toast(errorMessage(error, '删除没有成功，请稍后重试'), 'danger')
    }
    await revalidate()
  }
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row.id} className="flex items-start justify-between gap-2 py-4 first:pt-0 last:pb-0">
          <div className="min-w-0 flex-1">
            <NotificationEntry
              notification={row}
              now={now}
              onOpen={() => row.is_read || void markRead({ id: [row.id] })}
            />
          </div>
          <div className="flex shrink-0 max-md:flex-col">
            {row.can_answer && <AnswerButton notification={row} />}
            {!row.is_read && (
              <IconButton label={`标为已读：${row.title}`} onClick={() => void read(row.id)}>
                <Check size={18} aria-hidden />
              </IconButton>
            )}
            <Confirm
              renderTrigger={(open) => (
                <IconButton label={`删除：${row.title}`} onClick={open}>
                  <Trash2 size={18} aria-hidden />
                </IconButton>
              )}
              title="删除这条通知？"
              description="删除之后不能恢复；它说的内容不受影响。"
              action="删除"
              danger
              onConfirm={() => remove(row.id)}
            />
          </div>
        </li>
      ))}
    </ul>
  )
}
