import type { Ctx } from '#server/context.ts'
import { toDay } from '#server/days.ts'

const weekMs = 7 * 24 * 60 * 60_000

export interface DailyQuota {
  /** What is counted: `download.user`, `upload.count` … */
  quota: string
  /** A user's id or a network. */
  subject: string | number
  limit: number
  amount?: number
}

/**
 * Consumes some of a daily quota; false when too little is left. One statement decides, so that concurrent requests
 * cannot exceed the limit; a transaction that rolls back gives it back, and until it ends other requests of the same
 * subject wait.
 */
export async function consumeQuota(ctx: Ctx, { quota, subject, limit, amount = 1 }: DailyQuota): Promise<boolean> {
  if (amount > limit) return false
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('quota_usage')
    .values({ quota, subject: String(subject), day: toDay(ctx.now()), used: amount })
    .onConflict((conflict) =>
      conflict
        .columns(['quota', 'subject', 'day'])
        .doUpdateSet((eb) => ({ used: eb('quota_usage.used', '+', amount) }))
        .where('quota_usage.used', '<=', limit - amount),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

export async function quotaUsed(ctx: Ctx, { quota, subject }: Pick<DailyQuota, 'quota' | 'subject'>): Promise<number> {
  const row = await ctx.db
    .selectFrom('quota_usage')
    .select('used')
    .where('quota', '=', quota)
    .where('subject', '=', String(subject))
    .where('day', '=', toDay(ctx.now()))
    .executeTakeFirst()
  return row?.used ?? 0
}

export async function purgeQuotaUsage({ db, now }: Ctx): Promise<void> {
  await db
    .deleteFrom('quota_usage')
    .where('day', '<', toDay(now() - weekMs))
    .execute()
}
