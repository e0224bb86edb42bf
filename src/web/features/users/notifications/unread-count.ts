import { useEffect } from 'react'
import { notifications } from '#shared/contract/notifications.ts'
import { pollUnread } from '#web/features/users/notifications/poll-unread.ts'
import { api } from '#web/lib/api.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** The bell and the list of notifications show the same count. */
const store = createStore(() => 0)

export function useUnreadCount(): number {
  return useStore(store, 0)
}

/** To be used once, by the bell. */
export function useUnreadPolling(userId: number): void {
  useEffect(() => {
    store.set(0)
    if (userId === 0) return undefined
    return pollUnread(countUnread, store.set)
  }, [userId])
}

/** After the member has read or deleted some. A failure is no loss: the next poll brings the count. */
export async function refreshUnreadCount(): Promise<void> {
  await countUnread().then(store.set, () => {})
}

async function countUnread(): Promise<number> {
  return (await api(notifications.unread)).count
}
