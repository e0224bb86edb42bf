import type { orders } from '#shared/contract/orders.ts'
import type { Input } from '#shared/endpoint.ts'
import { allCodes } from '#shared/codes.ts'
import { OrderType, VipCard, vipCardLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { creditName } from '#shared/credit-name.ts'
import { creditsToFen, fenToCredits } from '#shared/prices.ts'
import { topUpBonus } from '#shared/top-up-bonus.ts'
import type { Ctx } from '#server/context.ts'
import { getReadable } from '#server/modules/documents/documents.get.ts'
import { sellsRest } from '#server/modules/documents/documents.policy.ts'
import { assertDownloadable, findCost } from '#server/modules/downloads/eligibility.ts'
import { vipCards } from '#server/modules/vip/cards.ts'

/** What an order is for, with the price of this moment: in credits, and in fen. */
export interface Product {
  id: number
  name: string
  quantity: number
  /** Before the discount. */
  price: number
  amount: number
  money: number
  bonus: number
}

export function findProduct(ctx: Ctx, input: Input<typeof orders.create>): Promise<Product> {
  return finders[input.order_type](ctx, input)
}

type Finder = (ctx: Ctx, input: Input<typeof orders.create>) => Promise<Product>

const finders: Record<OrderType, Finder> = {
  [OrderType.Document]: async (ctx, { product_id: id }) => {
    const document = await getReadable(ctx, { id })
    // Bought for its file, or for the pages that are withheld until then.
    if (!sellsRest(ctx, document)) assertDownloadable(ctx, document)
    const amount = await findCost(ctx, document)
    const money = toMoney(ctx, amount)
    return { id, name: document.title, quantity: 1, price: document.price, amount, money, bonus: 0 }
  },
  [OrderType.Vip]: async (ctx, { product_id: id }) => {
    const card = allCodes(VipCard).find((candidate) => candidate === id)
    if (!ctx.settings.vip.enable || card === undefined) throw errors.orders.noSuchCard()
    const fen = ctx.settings.vip[`${vipCards[card].name}_price`]
    if (fen === 0) throw errors.orders.noSuchCard()
    // Charged as it is set; in credits it is rounded up.
    const price = fenToCredits(fen, ctx.settings.score.credit_exchange)
    return { id, name: `VIP ${vipCardLabels[card]}`, quantity: 1, price, amount: price, money: fen, bonus: 0 }
  },
  [OrderType.TopUp]: async (ctx, { quantity }) => {
    if (quantity === 0) throw errors.orders.quantityNeeded()
    const name = `充值 ${quantity} ${creditName(ctx.settings)}`
    const bonus = topUpBonus(quantity, ctx.settings.pay.topup_bonus)
    return { id: 0, name, quantity, price: quantity, amount: quantity, money: toMoney(ctx, quantity), bonus }
  },
}

function toMoney({ settings }: Ctx, credits: number): number {
  return credits === 0 ? 0 : creditsToFen(credits, settings.score.credit_exchange)
}
