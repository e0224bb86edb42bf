import { creditName } from '#shared/credit-name.ts'
import { OrderType, type PaymentMethod } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { insertOrder } from '#server/modules/orders/orders.create.ts'
import { settleOrThrow } from './settle.ts'

interface Gift {
  credits: number
  method: PaymentMethod
  name?: string
  requestKey?: string
  remark?: string
}

/** Credits that no money is paid for are an order too, which is settled at once. */
export async function giveCredits(
  ctx: Ctx,
  userId: number,
  { credits, method, name = `充值 ${credits} ${creditName(ctx.settings)}`, ...details }: Gift,
): Promise<{ id: number; order_no: string }> {
  const product = { id: 0, name, quantity: credits, price: credits, amount: credits, money: 0, bonus: 0 }
  const order = await insertOrder(ctx, userId, { type: OrderType.TopUp, product, ...details })
  await settleOrThrow(ctx, { orderId: order.id, method })
  return order
}
