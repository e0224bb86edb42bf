import type { codes } from '#shared/contract/codes.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { DownloadCodeKind, OrderType, PaymentMethod, Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { assertNotPunished, isOwnGain } from '#server/modules/access/access.policy.ts'
import { assertFitsDocument, takeCode } from '#server/modules/codes/take-code.ts'
import { findSellers, isPending, lockOrder, type OrderRow } from '#server/modules/orders/orders.queries.ts'
import { giveCredits } from './give-credits.ts'
import { settleOrThrow } from './settle.ts'

const method = PaymentMethod.DownloadCode

/** Uses the code up and settles the order, in one transaction. No credits are taken. */
export async function payWithCode(ctx: MemberCtx, { id, type }: OrderRow, typed: string): Promise<void> {
  if (type !== OrderType.Document) throw errors.orders.methodDenied()
  await takeCode(ctx, typed, async (ctx, code) => {
    const order = await lockOrder(ctx, id)
    if (!isPending(order, ctx.now())) throw errors.orders.notPending()
    assertFitsDocument(ctx, code, { id: order.product_id, price: order.amount })
    // A maker of codes, or a colleague, would be paid for their own documents with them.
    if (await isOwnGain(ctx, code.made_by, await findSellers(ctx, order))) throw errors.codes.ownDocument()
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
    return { ...(await giveCredits(ctx, ctx.viewer.id, { credits, method })), credits }
  })
  return { order_no, credits }
}
