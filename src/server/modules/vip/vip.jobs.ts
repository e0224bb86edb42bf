import { type Ctx, transaction } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'

const dayMs = 24 * 60 * 60_000
const batch = 200

/** Reminds each member once before the last of their cards ends. */
async function remind(ctx: Ctx): Promise<void> {
  const { settings, now, db } = ctx
  const { enable, remind_days } = settings.vip
  if (!enable || remind_days === 0) return
  let last = 0
  for (;;) {
    const due = await db
      .selectFrom('user_vip')
      .innerJoin('user', 'user.id', 'user_vip.user_id')
      .select(['user_vip.id', 'user_vip.expired_at', 'user_vip.user_id'])
      // The last card: those before it are followed by another.
      .whereRef('user_vip.expired_at', '=', 'user.vip_until')
      .whereRef('user_vip.expired_at', '>', 'user_vip.joined_at')
      .where('user_vip.expired_at', '>', now())
      .where('user_vip.expired_at', '<=', now() + remind_days * dayMs)
      .where('user_vip.reminded_at', 'is', null)
      .where('user_vip.id', '>', last)
      .orderBy('user_vip.id')
      .limit(batch)
      .execute()
    for (const card of due) await remindOf(ctx, card)
    last = due.at(-1)?.id ?? 0
    if (due.length < batch) return
  }
}

interface DueCard {
  id: number
  expired_at: number
  user_id: number
}

function remindOf(ctx: Ctx, { id, expired_at, user_id }: DueCard): Promise<void> {
  return transaction(ctx, async (ctx) => {
    // Another process may have been faster.
    const marked = await ctx.db
      .updateTable('user_vip')
      .set({ reminded_at: ctx.now() })
      .where('id', '=', id)
      .where('reminded_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!marked) return
    await publish(ctx, 'vip.ending', { card: id, user: user_id, end: expired_at })
  })
}

export const vipJobs = { 'vip.remind': remind } satisfies Partial<JobHandlers>
export const vipSchedules: JobSchedule[] = [{ kind: 'vip.remind', everyMs: 60 * 60_000 }]
