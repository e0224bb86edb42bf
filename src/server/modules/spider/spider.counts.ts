import type { Ctx } from '#server/context.ts'
import { toDay } from '#server/days.ts'

/** What the crawler did each day, in the table of daily counts. */

const names = ['found', 'downloaded', 'published', 'failed', 'bytes'] as const
export type SpiderCounts = Record<(typeof names)[number], number>

/** In the transaction of what is counted. */
export async function addToday(ctx: Ctx, counts: Partial<SpiderCounts>): Promise<void> {
  const day = toDay(ctx.now())
  const rows = names.flatMap((name) => (counts[name] ? [{ day, name: `spider.${name}`, count: counts[name] }] : []))
  if (rows.length === 0) return
  await ctx.db
    .insertInto('daily_count')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'name'])
        .doUpdateSet((eb) => ({ count: eb('daily_count.count', '+', eb.ref('excluded.count')) })),
    )
    .execute()
}

export async function getToday({ db, now }: Ctx): Promise<SpiderCounts> {
  const rows = await db
    .selectFrom('daily_count')
    .select(['name', 'count'])
    .where('day', '=', toDay(now()))
    .where('name', 'like', 'spider.%')
    .execute()
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  return Object.fromEntries(names.map((name) => [name, counts.get(`spider.${name}`) ?? 0])) as SpiderCounts
}
