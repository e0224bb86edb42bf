import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { creditsToFen } from '#shared/prices.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { lockBalances, spendCredit } from '#server/modules/credits/credits.ledger.ts'
import type { BuyDocument } from '#server/modules/downloads/download.ts'
import { findBalance, insufficientCredit } from '#server/modules/downloads/eligibility.ts'
import { insertOrder } from '#server/modules/orders/orders.create.ts'
import { isPending, lockOrder, type OrderRow } from '#server/modules/orders/orders.queries.ts'
import { settleOrThrow } from './settle.ts'

/** Takes the credits and settles the order, in one transaction. */
export function payWithCredits(ctx: MemberCtx, orderId: number): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, orderId)
    if (!isPending(order, ctx.now())) throw errors.orders.notPending()
    if (order.type === OrderType.TopUp) throw errors.orders.methodDenied()
    if (!(await takeAndSettle(ctx, order))) throw insufficientCredit(ctx, order.amount, await findBalance(ctx))
  })
}

/** A download that costs credits is an order too. */
export const buyDocument: BuyDocument = async (ctx, document, cost) => {
  const product = {
    id: document.id,
    name: document.title,
    quantity: 1,
    price: document.price,
    amount: cost,
    money: creditsToFen(cost, ctx.settings.score.credit_exchange),
    bonus: 0,
  }
  const { id } = await insertOrder(ctx, ctx.viewer.id, { type: OrderType.Document, product })
  return takeAndSettle(ctx, await lockOrder(ctx, id))
}

/** False if there are too few credits: the caller's transaction is rolled back. */
async function takeAndSettle(ctx: Ctx, order: OrderRow): Promise<boolean> {
  const { id, user_id: userId, amount } = order
  const isDocument = order.type === OrderType.Document
  if (isDocument) await lockBalances(ctx, [userId, ...(await findAuthor(ctx, order.product_id))])
  await settleOrThrow(ctx, { orderId: id, method: PaymentMethod.Credits })
  return spendCredit(ctx, {
    userId,
    amount,
    key: `order:${id}`,
    ...(isDocument ? { reason: 'download', refId: order.product_id } : { reason: 'order', refId: id }),
  })
}

async function findAuthor({ db }: Ctx, documentId: number): Promise<number[]> {
  const rows = await db.selectFrom('document').select('user_id').where('id', '=', documentId).execute()
  return rows.map((row) => row.user_id)
}
