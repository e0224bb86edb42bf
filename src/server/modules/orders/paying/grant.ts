import { allCodes } from '#shared/codes.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { authorShare } from '#shared/prices.ts'
import type { Ctx } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import { enqueue } from '#server/jobs.ts'
import { addCredit, lockBalances } from '#server/modules/credits/credits.ledger.ts'
import { hasBought } from '#server/modules/downloads/eligibility.ts'
import { grantDocument } from '#server/modules/downloads/grants.ts'
import { grantCard } from '#server/modules/vip/cards.ts'
import type { OrderRow } from '#server/modules/orders/orders.queries.ts'

/** Nothing is given if what was bought does not exist any more (`gone`), or the buyer has the document already. */
export type GrantOutcome = 'granted' | 'gone' | 'bought'

/** Gives the buyer what was bought, or changes nothing. */
export async function grant(ctx: Ctx, order: OrderRow, method: PaymentMethod): Promise<GrantOutcome> {
  const buyer = await ctx.db
    .selectFrom('user')
    .select('id')
    .where('id', '=', order.user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return buyer ? grants[order.type](ctx, order, method) : 'gone'
}

const grants: Record<OrderType, (ctx: Ctx, order: OrderRow, method: PaymentMethod) => Promise<GrantOutcome>> = {
  [OrderType.Document]: async (ctx, order, method) => {
    const { user_id: userId, product_id: documentId } = order
    const document = await findDocument(ctx, documentId)
    if (!document) return 'gone'
    // Two orders of one buyer wait for each other here.
    await lockBalances(ctx, [userId, document.user_id])
    if (await hasBought(ctx, { userId, documentId })) return 'bought'
    await grantDocument(ctx, { userId, documentId, orderId: order.id })
    // Trying payments out is no sale.
    if (method !== PaymentMethod.Trial) await payAuthor(ctx, order, document.user_id)
    await endOtherOrders(ctx, order)
    return 'granted'
  },
  [OrderType.Vip]: async (ctx, { id, order_no: orderNo, user_id: userId, product_id }) => {
    const card = allCodes(VipCard).find((candidate) => candidate === product_id)
    if (card === undefined) return 'gone'
    await grantCard(ctx, { userId, card, orderId: id, orderNo })
    return 'granted'
  },
  [OrderType.TopUp]: async (ctx, { id, user_id: userId, quantity, bonus }) => {
    await addCredit(ctx, { userId, amount: quantity, reason: 'topUp', refId: id, key: `top-up:${id}` })
    await addCredit(ctx, { userId, amount: bonus, reason: 'topUpBonus', refId: id, key: `top-up-bonus:${id}` })
    return 'granted'
  },
}

async function payAuthor(ctx: Ctx, { id, user_id, product_id, amount }: OrderRow, author: number): Promise<void> {
  const { author_percent: percent, author_fee: fee } = ctx.settings.pay
  const credits = authorShare(amount, { percent, fee })
  await addCredit(ctx, { userId: author, amount: credits, reason: 'sale', refId: product_id, key: `sale:${id}` })
  await publish(ctx, 'document.sold', { order: id, document: product_id, author, buyer: user_id, credits })
}

function findDocument({ db }: Ctx, id: number) {
  return db
    .selectFrom('document')
    .select('user_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The buyer has the document: what is still to be paid for it is closed, here and at its provider. */
async function endOtherOrders(ctx: Ctx, { id, user_id, product_id }: OrderRow): Promise<void> {
  const others = await ctx.db
    .selectFrom('order')
    .select('id')
    .where('type', '=', OrderType.Document)
    .where('product_id', '=', product_id)
    .where('user_id', '=', user_id)
    .where('status', '=', OrderStatus.Pending)
    .where('id', '<>', id)
    .execute()
  for (const other of others) await enqueue(ctx, 'orders.expire', { order: other.id })
}
