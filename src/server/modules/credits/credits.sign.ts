import type { credits, Sign } from '#shared/contract/credits.ts'
import type { Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { dayOf } from '#server/days.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { addCredit } from './credits.ledger.ts'

/** Once for each calendar day at the site: the row that can be there only once decides. */
export function checkIn(ctx: MemberCtx): Promise<Sign> {
  return transaction(ctx, async (ctx) => {
    const now = ctx.now()
    const userId = ctx.viewer.id
    const [day, award] = [dayOf(now), ctx.settings.score.sign_in]
    const before = await signOn(ctx, dayBefore(now))
    const streak = (before?.streak ?? 0) + 1
    const row = await ctx.db
      .insertInto('sign')
      .values({ user_id: userId, sign_at: day, award, streak, ip: ctx.origin.ip, created_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'sign_at']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw errors.credits.signedAlready()
    await addCredit(ctx, { userId, amount: award, reason: 'sign', refId: row.id, key: `sign:${userId}:${day}` })
    await recordDynamic(ctx, { userId, type: 11, amount: award })
    return row
  })
}

export async function signedToday(ctx: MemberCtx): Promise<Sign> {
  const row = await signOn(ctx, dayOf(ctx.now()))
  if (!row) throw errors.credits.notSigned()
  return row
}

/** What was begun yesterday can still be continued today. */
export async function streakOf(ctx: MemberCtx): Promise<Reply<typeof credits.streak>> {
  const now = ctx.now()
  const today = await signOn(ctx, dayOf(now))
  if (today) return { signed: true, streak: today.streak, award: today.award }
  const before = await signOn(ctx, dayBefore(now))
  return { signed: false, streak: before?.streak ?? 0, award: ctx.settings.score.sign_in }
}

function signOn({ db, viewer }: MemberCtx, day: number) {
  return db
    .selectFrom('sign')
    .selectAll()
    .where('user_id', '=', viewer.id)
    .where('sign_at', '=', day)
    .executeTakeFirst()
}

/** By the calendar: days in which clocks are changed have no 24 hours. */
function dayBefore(now: number): number {
  const date = new Date(now)
  return dayOf(date.setDate(date.getDate() - 1))
}
