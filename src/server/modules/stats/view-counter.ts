import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'

const forgottenAfterMs = 30 * 60_000
const mostRemembered = 100_000
const robots = /bot|crawl|spider|slurp|fetch|monitor|preview|curl|wget|python|java\/|go-http|axios/i

/** Who looked at what lately, for each site that this process serves. */
const memories = new WeakMap<Db, Map<string, number>>()

/** A person who looks again within half an hour is counted once, a program never. Says whether it was counted. */
export async function countView(ctx: Ctx, id: number, table: 'document' | 'article' = 'document'): Promise<boolean> {
  const { userAgent, network } = ctx.origin
  if (!userAgent || robots.test(userAgent)) return false
  const who = ctx.viewer.id > 0 ? `member ${ctx.viewer.id}` : network
  if (!isNews(memoryOf(ctx), `${table} ${id} ${who}`, ctx.now())) return false
  await ctx.db
    .updateTable(table)
    .set((eb) => ({ view_count: eb('view_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
  return true
}

function memoryOf({ db }: Ctx): Map<string, number> {
  const known = memories.get(db)
  if (known) return known
  const memory = new Map<string, number>()
  memories.set(db, memory)
  return memory
}

function isNews(memory: Map<string, number>, look: string, now: number): boolean {
  if (now - (memory.get(look) ?? -Infinity) < forgottenAfterMs) return false
  memory.delete(look)
  memory.set(look, now)
  // The oldest stand first.
  for (const [oldest, at] of memory) {
    if (memory.size <= mostRemembered && now - at < forgottenAfterMs) break
    memory.delete(oldest)
  }
  return true
}
