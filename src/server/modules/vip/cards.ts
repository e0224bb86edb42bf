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

/**
 * From when on the cards that end at a time have followed each other, and for how many months: counted from there, three
 * months from 31 January end on 30 April, though the first of them ends on 28 February. `cards` are the latest first.
 */
function findChain(
  cards: readonly { type: VipCard; joined_at: number; expired_at: number }[],
  end: number,
): { start: number; months: number } {
  let chain = { start: end, months: 0 }
  let [months, next] = [0, end]
  for (const { type, joined_at, expired_at } of cards) {
    if (expired_at !== next) break
    months += vipCards[type].months
    next = joined_at
    // Not if one of them was ended early.
    if (addMonths(joined_at, months) === end) chain = { start: joined_at, months }
  }
  return chain
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
    const held = await db
      .selectFrom('user_vip')
      .select(['type', 'joined_at', 'expired_at'])
      .where('user_id', '=', userId)
      .whereRef('expired_at', '>', 'joined_at')
      .orderBy('expired_at', 'desc')
      .limit(100)
      .execute()
    const { name, months } = vipCards[card]
    const joinedAt = Math.max(now(), held[0]?.expired_at ?? 0)
    const chain = findChain(held, joinedAt)
    const expiredAt = addMonths(chain.start, chain.months + months)
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

/**
 * Ends a card now, or before it has begun; those after it move forward by what it would have lasted. False if it is over
 * already.
 */
export async function endCard(
  ctx: Ctx,
  { id, user_id }: { id: number; user_id: number },
  reason: string,
): Promise<boolean> {
  const { db, now } = ctx
  await lockRows(ctx, 'user', [user_id])
  // Read under the lock: an earlier card may have ended meanwhile, and moved this one.
  const card = await db.selectFrom('user_vip').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const end = Math.min(card.expired_at, Math.max(card.joined_at, now()))
  const left = card.expired_at - end
  if (left === 0) return false
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
    .set({ vip_until: until })
    .where('id', '=', card.user_id)
    .execute()
  return true
}
