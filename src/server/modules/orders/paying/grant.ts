import { allCodes } from '#shared/codes.ts'
import { OrderType, VipCard } from '#shared/enums.ts'
import { authorShare } from '#shared/prices.ts'
import type { Ctx } from '#server/context.ts'
import { addCredit, lockBalances } from '#server/modules/credits/credits.ledger.ts'
import { grantDocument } from '#server/modules/downloads/grants.ts'
import { grantCard } from '#server/modules/vip/cards.ts'
import type { OrderRow } from '#server/modules/orders/orders.queries.ts'

/** Gives the buyer what was bought; false if that does not exist any more. */
export function grant(ctx: Ctx, order: OrderRow): Promise<boolean> {
  return grants[order.type](ctx, order)
}

const grants: Record<OrderType, (ctx: Ctx, order: OrderRow) => Promise<boolean>> = {
  [OrderType.Document]: async (ctx, { id, user_id: userId, product_id: documentId, amount }) => {
    const document = await findDocument(ctx, documentId)
    if (!document) return false
    const { pay } = ctx.settings
    await lockBalances(ctx, [userId, document.user_id])
    await grantDocument(ctx, { userId, documentId, orderId: id })
    await addCredit(ctx, {
      userId: document.user_id,
      amount: authorShare(amount, { percent: pay.author_percent, fee: pay.author_fee }),
      reason: 'sale',
      refId: documentId,
      key: `sale:${id}`,
    })
    return true
  },
  [OrderType.Vip]: async (ctx, { id, order_no: orderNo, user_id: userId, product_id }) => {
    const card = allCodes(VipCard).find((candidate) => candidate === product_id)
    if (card === undefined) return false
    await grantCard(ctx, { userId, card, orderId: id, orderNo })
    return true
  },
  [OrderType.TopUp]: async (ctx, { id, user_id: userId, quantity, bonus }) => {
    await addCredit(ctx, { userId, amount: quantity, reason: 'topUp', refId: id, key: `top-up:${id}` })
    await addCredit(ctx, { userId, amount: bonus, reason: 'topUpBonus', refId: id, key: `top-up-bonus:${id}` })
    return true
  },
}

function findDocument({ db }: Ctx, id: number) {
  return db
    .selectFrom('document')
    .select('user_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
