import { OrderType, PaymentMethod } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { addCredit, lockBalances, takeCredit } from '#server/modules/credits/credits.ledger.ts'
import { findReleasable, releaseCode, type ReleasedCode } from '#server/modules/codes/take-code.ts'
import { revokeDocument } from '#server/modules/downloads/grants.ts'
import { endCardOfOrder } from '#server/modules/vip/cards.ts'
import { type OrderRow, receivedMoney } from '#server/modules/orders/orders.queries.ts'

interface RefundRow {
  id: number
  payment_id: number
  money: number
  credits: number
  reason: string
}

/** The things granted that a refund has withdrawn. */
export interface TakenBack {
  taken?: 'document' | 'card' | 'credits'
  /** Credits taken from the buyer of a top-up, or from the author. */
  credits: number
  /** Credits that could not be taken because they were spent: a balance is never negative. */
  missing: number
  /** The outcome for the download code that paid the order. */
  code?: ReleasedCode | 'kept'
}

/** A refund's changes besides the money: credits go back to the buyer, what was granted is withdrawn. */
export async function takeBack(ctx: Ctx, order: OrderRow, refund: RefundRow): Promise<TakenBack> {
  if (await isSurplus(ctx, refund)) {
    await endSurplus(ctx, order, refund)
    return { credits: 0, missing: 0 }
  }
  const { author, share } = await findShare(ctx, order)
  await lockBalances(ctx, [order.user_id, ...(author ? [author] : [])])
  if (refund.credits > 0 && order.payment_method === PaymentMethod.Credits)
    await addCredit(ctx, {
      userId: order.user_id,
      amount: refund.credits,
      reason: 'refund',
      refId: order.id,
      key: `refund:${refund.id}`,
      note: refund.reason,
    })
  const received = receivedMoney(order)
  // Nothing was granted for what staff have counted too much: it goes back first.
  const excess = refund.money > 0 ? Math.max(0, received - order.money) : 0
  // What goes back now is reserved already.
  const [whole, back, now] =
    refund.money > 0
      ? [received, order.refunded_money, refund.money]
      : [order.amount, order.refunded_credits, refund.credits]
  const isWhole = back >= whole
  const revoked = isWhole ? await revoke(ctx, order, refund.reason) : undefined
  const isTopUp = order.type === OrderType.TopUp
  const [userId, granted] = isTopUp ? [order.user_id, order.quantity + order.bonus] : [author, share]
  // The share of all that went back, less the share of what went back before: parts add up to the whole.
  const shareOf = (part: number) => Math.floor((granted * Math.max(0, part - excess)) / Math.max(1, whole - excess))
  const wanted = userId ? shareOf(back) - shareOf(back - now) : 0
  const credits = await takeCredit(ctx, {
    userId,
    amount: wanted,
    ...(isTopUp ? { reason: 'topUpWithdrawn', refId: order.id } : { reason: 'saleWithdrawn', refId: order.product_id }),
    key: `take-back:${refund.id}`,
    note: refund.reason,
  })
  const missing = wanted - credits
  const taken = isTopUp && wanted > 0 ? 'credits' : revoked
  const code = isWhole ? await giveCodeBack(ctx, order, isTopUp ? missing : 0) : undefined
  return { credits, missing, ...(taken && { taken }), ...(code && { code }) }
}

async function revoke(ctx: Ctx, order: OrderRow, reason: string): Promise<'document' | 'card' | undefined> {
  const { id, type, user_id: userId, product_id: documentId } = order
  if (type === OrderType.Document) await revokeDocument(ctx, { userId, documentId, orderId: id })
  if (type === OrderType.Vip) await endCardOfOrder(ctx, order.order_no, reason)
  return type === OrderType.TopUp ? undefined : type === OrderType.Document ? 'document' : 'card'
}

/** A code is unused again once all that it brought is withdrawn: it must never bring more than once what it is worth. */
async function giveCodeBack(ctx: Ctx, { id }: OrderRow, missing: number): Promise<TakenBack['code']> {
  if (missing === 0 && !(await hasMissingCredits(ctx, id))) return releaseCode(ctx, id)
  return (await findReleasable(ctx, id)) && 'kept'
}

/** Whether credits of a top-up were missing at refunds of earlier parts. */
async function hasMissingCredits({ db }: Ctx, orderId: number): Promise<boolean> {
  const row = await db
    .selectFrom('refund')
    .innerJoin('order', 'order.id', 'refund.order_id')
    .select('refund.id')
    .where('refund.order_id', '=', orderId)
    .where('refund.missing_credits', '>', 0)
    .where('order.type', '=', OrderType.TopUp)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** What the author got for the sale. */
async function findShare({ db }: Ctx, { id, type }: OrderRow): Promise<{ author: number; share: number }> {
  if (type !== OrderType.Document) return { author: 0, share: 0 }
  const entry = await db
    .selectFrom('credit_entry')
    .select(['user_id', 'amount'])
    .where('key', '=', `sale:${id}`)
    .executeTakeFirst()
  return { author: entry?.user_id ?? 0, share: entry?.amount ?? 0 }
}

async function isSurplus({ db }: Ctx, { payment_id }: RefundRow): Promise<boolean> {
  if (payment_id === 0) return false
  const payment = await db.selectFrom('payment').select('state').where('id', '=', payment_id).executeTakeFirst()
  return payment?.state === 'surplus'
}

/** An order has no surplus any more when all of it went back. */
async function endSurplus({ db, now }: Ctx, order: OrderRow, refund: RefundRow): Promise<void> {
  const surplus = await db
    .selectFrom('payment')
    .select(['id', 'money'])
    .where('order_id', '=', order.id)
    .where('state', '=', 'surplus')
    .execute()
  const done = await db
    .selectFrom('refund')
    .select(['payment_id', 'money'])
    .where('order_id', '=', order.id)
    .where('state', '=', 'done')
    .execute()
  const back = [...done, refund]
  const isLeft = surplus.some(
    ({ id, money }) => back.filter((row) => row.payment_id === id).reduce((sum, row) => sum + row.money, 0) < money,
  )
  if (!isLeft)
    await db.updateTable('order').set({ has_surplus: 0, updated_at: now() }).where('id', '=', order.id).execute()
}
