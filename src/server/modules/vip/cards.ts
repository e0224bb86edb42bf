import { VipCard } from '#shared/enums.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'

/** The name of each card in the settings, and how long it lasts. */
export const vipCards = {
  [VipCard.Year]: { name: 'year', months: 12 },
  [VipCard.Quarter]: { name: 'quarter', months: 3 },
  [VipCard.Month]: { name: 'month', months: 1 },
} as const

/** The same minute so many months later, by the site's calendar; the last day of a month that is shorter. */
export function addMonths(from: number, months: number): number {
  const date = new Date(from)
  const day = date.getDate()
  date.setDate(1)
  date.setMonth(date.getMonth() + months)
  date.setDate(Math.min(day, new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate()))
  return date.getTime()
}

interface Grant {
  userId: number
  card: VipCard
  orderId?: number
  orderNo?: string
  reason?: string
}

/** Cards follow each other: a new one begins when the last one ends. */
export function grantCard(ctx: Ctx, { userId, card, orderId = 0, orderNo = '', reason = '' }: Grant): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { db, settings, now } = ctx
    await lockRows(ctx, 'user', [userId])
    const last = await db
      .selectFrom('user_vip')
      .select('expired_at')
      .where('user_id', '=', userId)
      .orderBy('expired_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const { name, months } = vipCards[card]
    const joinedAt = Math.max(now(), last?.expired_at ?? 0)
    const expiredAt = addMonths(joinedAt, months)
    await db
      .insertInto('user_vip')
      .values({
        user_id: userId,
        type: card,
        order_id: orderId,
        order_no: orderNo,
        download: settings.vip[`${name}_download`],
        times: settings.vip[`${name}_times_every_day`],
        discount: settings.vip[`${name}_document_discount`],
        joined_at: joinedAt,
        expired_at: expiredAt,
        reason,
        created_at: now(),
        updated_at: now(),
      })
      .execute()
    await db.updateTable('user').set({ vip_until: expiredAt }).where('id', '=', userId).execute()
  })
}

/** Takes back a card that was refunded; those after it move forward. */
export function endCardOfOrder(ctx: Ctx, orderNo: string, reason: string): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const card = await ctx.db.selectFrom('user_vip').selectAll().where('order_no', '=', orderNo).executeTakeFirst()
    if (card) await endCard(ctx, card, reason)
  })
}

/** Ends a card now, or before it has begun; those after it move forward by what it would have lasted. */
export async function endCard(
  ctx: Ctx,
  card: { id: number; user_id: number; joined_at: number; expired_at: number },
  reason: string,
): Promise<void> {
  const { db, now } = ctx
  await lockRows(ctx, 'user', [card.user_id])
  const end = Math.min(card.expired_at, Math.max(card.joined_at, now()))
  const left = card.expired_at - end
  await db
    .updateTable('user_vip')
    .set({ expired_at: end, reason, updated_at: now() })
    .where('id', '=', card.id)
    .execute()
  await db
    .updateTable('user_vip')
    .set((eb) => ({
      joined_at: eb('joined_at', '-', left),
      expired_at: eb('expired_at', '-', left),
      updated_at: now(),
    }))
    .where('user_id', '=', card.user_id)
    .where('joined_at', '>=', card.expired_at)
    .where('id', '<>', card.id)
    .execute()
  const { until } = await db
    .selectFrom('user_vip')
    .select((eb) => eb.fn.max('expired_at').as('until'))
    .where('user_id', '=', card.user_id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('user')
    .set({ vip_until: Number(until ?? 0) })
    .where('id', '=', card.user_id)
    .execute()
}
