import { LRUCache } from 'lru-cache'
import type { Ctx } from '#server/context.ts'
import { isBot } from './bots.ts'
import { countOnDay } from './document-days.ts'

export interface ViewCounter {
  /** Counts a view of a document or an article, unless a bot looks or the same reader did lately. Says whether it counted. */
  count(ctx: Ctx, table: 'document' | 'article', id: number): Promise<boolean>
}

const repeatAfterMs = 30 * 60_000
const maxRemembered = 100_000

export function openViewCounter(now: () => number): ViewCounter {
  // With `max`, lru-cache would allocate all entries at once.
  const recent = new LRUCache<string, true>({
    maxSize: maxRemembered,
    sizeCalculation: () => 1,
    ttl: repeatAfterMs,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    async count(ctx, table, id) {
      const { userAgent, network } = ctx.origin
      if (isBot(userAgent)) return false
      const reader = ctx.viewer.id > 0 ? `member ${ctx.viewer.id}` : network
      const view = `${table} ${id} ${reader}`
      if (recent.has(view)) return false
      recent.set(view, true)
      await ctx.db
        .updateTable(table)
        .set((eb) => ({ view_count: eb('view_count', '+', 1) }))
        .where('id', '=', id)
        .execute()
      if (table === 'document') await countOnDay(ctx.db, { documentId: id, counter: 'reads', at: ctx.now() })
      return true
    },
  }
}
