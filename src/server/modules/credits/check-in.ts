import type { credits, Sign } from '#shared/contract/credits.ts'
import type { Reply } from '#shared/endpoint.ts'
import { ActivityType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { toDay, dayStart } from '#server/days.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { addCredit } from './credits.ledger.ts'

/** Once a day in the site's time zone, enforced by a unique index. */
export function checkIn(ctx: MemberCtx): Promise<Sign> {
  return transaction(ctx, async (ctx) => {
    const now = ctx.now()
    const userId = ctx.viewer.id
    const [day, award] = [toDay(now), ctx.settings.score.sign_in]
    const yesterday = await findCheckIn(ctx, toDay(dayStart(now, 1)))
    const streak = (yesterday?.streak ?? 0) + 1
    const row = await ctx.db
      .insertInto('check_in')
      .values({ user_id: userId, day, award, streak, ip: ctx.origin.ip, created_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'day']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw errors.credits.signedAlready()
    await addCredit(ctx, { userId, amount: award, reason: 'sign', refId: row.id, key: `sign:${userId}:${day}` })
    await recordActivity(ctx, { userId, type: ActivityType.CheckIn, amount: award })
    return toWire(row)
  })
}

export async function getTodaysCheckIn(ctx: MemberCtx): Promise<Sign> {
  const row = await findCheckIn(ctx, toDay(ctx.now()))
  if (!row) throw errors.credits.notSigned()
  return toWire(row)
}

/** A streak that lasted until yesterday can still be continued today. */
export async function getStreak(ctx: MemberCtx): Promise<Reply<typeof credits.streak>> {
  const now = ctx.now()
  const today = await findCheckIn(ctx, toDay(now))
  if (today) return { signed: true, streak: today.streak, award: today.award }
  const yesterday = await findCheckIn(ctx, toDay(dayStart(now, 1)))
  return { signed: false, streak: yesterday?.streak ?? 0, award: ctx.settings.score.sign_in }
}

/** Today, in the site's time zone. */
export async function hasCheckedIn({ db, now }: Pick<Ctx, 'db' | 'now'>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('check_in')
    .select('id')
    .where('user_id', '=', userId)
    .where('day', '=', toDay(now()))
    .executeTakeFirst()
  return row !== undefined
}

function findCheckIn({ db, viewer }: MemberCtx, day: number) {
  return db
    .selectFrom('check_in')
    .selectAll()
    .where('user_id', '=', viewer.id)
    .where('day', '=', day)
    .executeTakeFirst()
}

type CheckInRow = NonNullable<Awaited<ReturnType<typeof findCheckIn>>>

function toWire({ day, ...row }: CheckInRow): Sign {
  return { ...row, sign_at: day }
}
