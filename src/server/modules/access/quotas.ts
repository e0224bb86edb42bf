import type { Ctx } from '#server/context.ts'
import { dayOf } from '#server/days.ts'

const weekMs = 7 * 24 * 60 * 60_000

export interface DailyUse {
  /** What is counted: `download.user`, `upload.count` … */
  kind: string
  /** Whose it is: a user's id or a network. */
  who: string | number
  limit: number
  amount?: number
}

/**
 * Takes some of what may be used in a day, or says no. One statement decides, so that parallel requests cannot take
 * more than there is; inside a transaction that fails it is given back, and until it ends others of the same kind and
 * person wait.
 */
export async function takeDaily(ctx: Ctx, { kind, who, limit, amount = 1 }: DailyUse): Promise<boolean> {
  if (amount > limit) return false
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('daily_use')
    .values({ kind, who: String(who), day: dayOf(ctx.now()), used: amount })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'who', 'day'])
        .doUpdateSet((eb) => ({ used: eb('daily_use.used', '+', amount) }))
        .where('daily_use.used', '<=', limit - amount),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

export async function usedToday(ctx: Ctx, kind: string, who: string | number): Promise<number> {
  const row = await ctx.db
    .selectFrom('daily_use')
    .select('used')
    .where('kind', '=', kind)
    .where('who', '=', String(who))
    .where('day', '=', dayOf(ctx.now()))
    .executeTakeFirst()
  return row?.used ?? 0
}

/** Nobody asks what was used a week ago. */
export async function purgeDailyUse({ db, now }: Ctx): Promise<void> {
  await db
    .deleteFrom('daily_use')
    .where('day', '<', dayOf(now() - weekMs))
    .execute()
}
