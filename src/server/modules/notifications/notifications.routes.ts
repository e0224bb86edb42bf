import type { notifications } from '#shared/contract/notifications.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { answerNotification } from './answer.ts'
import { chooseModes, listChoices } from './choices.ts'
import { deleteNotifications, listNotifications, markRead } from './notifications.list.ts'
import type { UnreadCounter } from './unread-counter.ts'
import { getSubscription, unsubscribe } from './unsubscribe.ts'

export function notificationRoutes({
  unreadCounter,
}: {
  unreadCounter: UnreadCounter
}): Handlers<typeof notifications> {
  return {
    list: listNotifications,
    unread: async (ctx) => ({ count: await unreadCounter.count(ctx) }),
    async read(ctx, input) {
      await markRead(ctx, input)
      return {}
    },
    async delete(ctx, { id }) {
      await deleteNotifications(ctx, id)
      return {}
    },
    async answer(ctx, input) {
      await answerNotification(ctx, input)
      return {}
    },
    choices: listChoices,
    async choose(ctx, input) {
      await chooseModes(ctx, input)
      return {}
    },
    subscription: getSubscription,
    async unsubscribe(ctx, input) {
      await unsubscribe(ctx, input)
      return {}
    },
  }
}
