import { LRUCache } from 'lru-cache'
import type { EventBus } from '#server/events.ts'
import type { MemberCtx } from '#server/context.ts'
import { countUnread } from './notifications.list.ts'

export interface UnreadCounter {
  count(ctx: MemberCtx): Promise<number>
}

/** What another process changed shows this much later. */
const maxAgeMs = 5000
const maxMembers = 10_000

/** Every open page asks for it again and again: counted at most once in a while for each member. */
export function openUnreadCounter({ events, now }: { events: EventBus; now: () => number }): UnreadCounter {
  const counts = new LRUCache<number, Promise<number>>({
    maxSize: maxMembers,
    sizeCalculation: () => 1,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now },
  })
  events.on('notifications.changed', ({ userId }) => {
    counts.delete(userId)
  })
  return {
    count(ctx) {
      const known = counts.get(ctx.viewer.id)
      if (known) return known
      const counting = countUnread(ctx)
      counts.set(ctx.viewer.id, counting)
      counting.catch(() => counts.delete(ctx.viewer.id))
      return counting
    },
  }
}
