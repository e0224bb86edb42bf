import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { OrderStatus, PaymentMethod } from '#shared/enums.ts'
import { creditName } from '#shared/credit-name.ts'
import { errors } from '#shared/errors.ts'
import { paymentMethods } from '#shared/payment-methods.ts'
import { formatYuan } from '#shared/prices.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs.ts'
import { assertNoOwnGain } from '#server/modules/access/access.policy.ts'
import { lockBalances } from '#server/modules/credits/credits.ledger.ts'
import { recordOutlay, toFen } from '#server/modules/outlays/outlays.ts'
import { closeOrder } from '#server/modules/orders/paying/close.ts'
import { publishHandling } from './handled.ts'
import { findPayments, findSellers, getOwnOrder, lockOrder, type OrderRow, type PaymentRow } from './orders.queries.ts'
import { giveCredits } from '#server/modules/orders/paying/give-credits.ts'
import { settleOrThrow } from '#server/modules/orders/paying/settle.ts'

export async function remarkOrder(ctx: Ctx, { id, remark }: Input<typeof orders.remark>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockOrder(ctx, id)
    await setRemark(ctx, id, remark)
  })
}

/** How long a payment may still come for an order that was closed: as long as bills are asked for. */
const keptMs = 8 * 86_400_000

const refusals = { bought: errors.orders.buyerHasIt }

/** Staff have seen the money: a payment that could not be granted when it came, or one made outside the site. */
export function confirmOrder(
  ctx: MemberCtx,
  { id, payment_type, received_money, remark }: Input<typeof orders.confirm>,
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, id)
    await assertNoOwnGain(ctx, [order.user_id])
    if (remark) await setRemark(ctx, id, remark)
    ctx.audit?.({ ids: [order.order_no] })
    await publishHandling(ctx, { key: `granted:${id}`, order: id, outcome: 'granted' })
    const late = await findLatePayment(ctx, order)
    if (!late) {
      const method = payment_type ?? order.claim_method ?? PaymentMethod.Other
      if (!paymentMethods[method].offline) throw errors.orders.notOffline()
      // Nobody but the one who confirms has seen the money.
      await assertNoOwnGain(ctx, await findSellers(ctx, order))
      const received = received_money ?? order.money
      ctx.audit?.({ ids: [order.order_no], change: describeReceipt(order, received, remark) })
      await settleOrThrow(ctx, { orderId: id, method, received }, refusals)
      return
    }
    const event = order.status === OrderStatus.Closed ? 'grant' : 'pay'
    await settleOrThrow(ctx, { orderId: id, method: late.method, event }, refusals)
    await ctx.db
      .updateTable('payment')
      .set({ state: 'paid', updated_at: ctx.now() })
      .where('id', '=', late.id)
      .execute()
    const others = (await findPayments(ctx, id)).some(({ state }) => state === 'surplus')
    if (!others) await ctx.db.updateTable('order').set({ has_surplus: 0 }).where('id', '=', id).execute()
  })
}

function describeReceipt({ money }: OrderRow, received: number, remark: string): string {
  const difference =
    received === money ? '' : `（${received > money ? '多收' : '少收'} ${formatYuan(Math.abs(received - money))} 元）`
  return [`实收 ${formatYuan(received)} 元${difference}`, remark].filter(Boolean).join('：')
}

/** A payment of the right amount that is left over, and of which nothing went back or is on its way back. */
async function findLatePayment(ctx: Ctx, { id, money }: OrderRow): Promise<PaymentRow | undefined> {
  const refunds = await ctx.db
    .selectFrom('refund')
    .select('payment_id')
    .where('order_id', '=', id)
    .where('state', '<>', 'refused')
    .execute()
  const refunded = new Set(refunds.map(({ payment_id }) => payment_id))
  const payments = await findPayments(ctx, id)
  return payments.find((payment) => payment.state === 'surplus' && payment.money === money && !refunded.has(payment.id))
}

/** The money has not arrived: the buyer reads why, and can still pay. */
export function rejectClaim(ctx: Ctx, { id, remark }: Input<typeof orders.refuse>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, id)
    if (order.claimed_at === null) throw errors.orders.notClaimed()
    const expiredAt = Math.max(order.expired_at, ctx.now() + ctx.settings.pay.order_minutes * 60_000)
    await ctx.db
      .updateTable('order')
      .set({ claimed_at: null, claim: `未确认：${remark}`, expired_at: expiredAt, updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
    await enqueue(ctx, 'orders.expire', { order: id }, { runAt: expiredAt })
    const refusal = { outcome: 'claim-refused', reason: remark, staff: ctx.viewer.id } as const
    await publishHandling(ctx, { key: ctx.id(), order: id, ...refusal })
    ctx.audit?.({ ids: [order.order_no], change: remark })
  })
}

export async function closeByStaff(ctx: Ctx, { id, remark }: Input<typeof orders.closeByStaff>): Promise<void> {
  await closeOrder(ctx, id, remark)
}

/** Staff give credits to a member, as an order that was settled at once. */
export function topUpBySystem(
  ctx: MemberCtx,
  { user_id, amount, remark, key }: Input<typeof orders.systemTopUp>,
): Promise<Reply<typeof orders.systemTopUp>> {
  return transaction(ctx, async (ctx) => {
    const user = await ctx.db.selectFrom('user').select('username').where('id', '=', user_id).executeTakeFirst()
    if (!user) throw errors.users.notFound()
    await assertNoOwnGain(ctx, [user_id])
    // The same request waits here for the one that was faster.
    await lockBalances(ctx, [user_id])
    const requestKey = key && `top-up:${ctx.viewer.id}:${user_id}:${key}`
    const earlier = requestKey && (await findRequested(ctx, requestKey))
    if (earlier) {
      ctx.audit?.({ isRepeated: true })
      return earlier
    }
    const title = `给 ${user.username} 充值 ${amount} ${creditName(ctx.settings)}：${remark}`
    await recordOutlay(ctx, { act: 'topUp', fen: toFen(ctx, amount), title })
    const method = PaymentMethod.SystemTopUp
    const { order_no } = await giveCredits(ctx, user_id, { credits: amount, method, requestKey, remark })
    ctx.audit?.({ ids: [order_no], change: remark })
    return { order_no }
  })
}

/** Buyers remove their own from their list; with the permission, orders are removed for good, but none that was paid. */
export async function deleteOrders(ctx: MemberCtx, { id, order_no }: Input<typeof orders.delete>): Promise<void> {
  const ids = order_no ? [...id, (await getOwnOrder(ctx, order_no)).id] : id
  if (ids.length === 0) throw errors.request.invalid('请给出订单编号或订单号')
  await transaction(ctx, async (ctx) => {
    for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
      const order = await lockOrder(ctx, id)
      if (order.status === OrderStatus.Pending) throw errors.orders.stillPending()
      if (order.user_id === ctx.viewer.id) {
        await ctx.db.updateTable('order').set({ is_hidden: 1, updated_at: ctx.now() }).where('id', '=', id).execute()
        continue
      }
      if (!ctx.viewer.can('OrderAPI/DeleteOrder')) throw errors.orders.notFound()
      const payments = await findPayments(ctx, id)
      if (order.paid_at !== null || payments.some(({ state }) => state === 'surplus')) throw errors.orders.paidKept()
      if (payments.some(({ updated_at }) => updated_at > ctx.now() - keptMs)) throw errors.orders.attemptKept()
      await ctx.db.deleteFrom('payment').where('order_id', '=', id).execute()
      await ctx.db.deleteFrom('order').where('id', '=', id).execute()
    }
  })
}

function findRequested({ db }: Ctx, requestKey: string): Promise<{ order_no: string } | undefined> {
  return db.selectFrom('order').select('order_no').where('request_key', '=', requestKey).executeTakeFirst()
}

async function setRemark({ db, now }: Ctx, id: number, remark: string): Promise<void> {
  await db.updateTable('order').set({ remark, updated_at: now() }).where('id', '=', id).execute()
}
