import type { orders } from '#shared/contract/orders.ts'
import type { Input } from '#shared/endpoint.ts'
import { AttachmentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { getOwnOrder, isPending, lockOrder } from '#server/modules/orders/orders.queries.ts'
import { isOfflineOffered } from './pay.ts'

/** The buyer says that an order was paid outside the site. It does not expire any more: staff confirm or refuse it. */
export async function claimPayment(
  ctx: MemberCtx,
  { order_no, payment_type: method, content, picture }: Input<typeof orders.claim>,
): Promise<void> {
  if (!isOfflineOffered(ctx.settings, method)) throw errors.orders.methodDenied()
  const { id } = await getOwnOrder(ctx, order_no)
  await transaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, id)
    if (!isPending(order, ctx.now())) throw errors.orders.notPending()
    if (picture) await assertOwnPicture(ctx, picture)
    await ctx.db
      .updateTable('order')
      .set({
        claim: content,
        claim_picture: picture,
        claim_method: method,
        claimed_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .where('id', '=', id)
      .execute()
  })
}

async function assertOwnPicture({ db, viewer }: MemberCtx, path: string): Promise<void> {
  const own = await db
    .selectFrom('attachment')
    .select('id')
    .where('path', '=', path)
    .where('type', '=', AttachmentType.PaymentProof)
    .where('user_id', '=', viewer.id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!own) throw errors.orders.pictureUnusable()
}
