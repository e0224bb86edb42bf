import { creditName } from '#shared/credit-name.ts'
import type { codes } from '#shared/contract/codes.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { DownloadCodeKind, OrderType, PaymentMethod, Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { assertFitsDocument, takeCode } from '#server/modules/codes/take-code.ts'
import { insertOrder } from '#server/modules/orders/orders.create.ts'
import { isPending, lockOrder, type OrderRow } from '#server/modules/orders/orders.queries.ts'
import { settleOrThrow } from './settle.ts'

const method = PaymentMethod.DownloadCode

/** Uses the code up and settles the order, in one transaction. No credits are taken. */
export async function payWithCode(ctx: MemberCtx, { id, type }: OrderRow, typed: string): Promise<void> {
  if (type !== OrderType.Document) throw errors.orders.methodDenied()
  await takeCode(ctx, typed, async (ctx, code) => {
    const order = await lockOrder(ctx, id)
    if (!isPending(order, ctx.now())) throw errors.orders.notPending()
    assertFitsDocument(ctx, code, { id: order.product_id, price: order.amount })
    await settleOrThrow(ctx, { orderId: id, method })
    return order
  })
}

/** A code for credits is an order that is settled at once. */
export async function redeemCredits(
  ctx: MemberCtx,
  { code: typed }: Input<typeof codes.redeem>,
): Promise<Reply<typeof codes.redeem>> {
  assertNotPunished(ctx, Punishment.Disabled)
  const { order_no, credits } = await takeCode(ctx, typed, async (ctx, { kind, credits }) => {
    if (kind !== DownloadCodeKind.Credits) throw errors.codes.forDocuments()
    const name = `充值 ${credits} ${creditName(ctx.settings)}`
    const product = { id: 0, name, quantity: credits, price: credits, amount: credits, money: 0, bonus: 0 }
    const order = await insertOrder(ctx, ctx.viewer.id, { type: OrderType.TopUp, product })
    await settleOrThrow(ctx, { orderId: order.id, method })
    return { ...order, credits }
  })
  return { order_no, credits }
}
