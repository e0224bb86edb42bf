import { sql } from 'kysely'
import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { OrderStatus, OrderType, Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { createNumber } from './order-numbers.ts'
import type { OrderRow } from './orders.queries.ts'
import { findProduct, type Product } from './products.ts'

const minuteMs = 60_000

/** The same thing asked for twice gives the same pending order. What costs nothing needs none. */
export async function createOrder(
  ctx: MemberCtx,
  input: Input<typeof orders.create>,
): Promise<Reply<typeof orders.create>> {
  assertNotPunished(ctx, Punishment.Disabled)
  if (input.order_type === OrderType.Document) assertNotPunished(ctx, Punishment.NoDownload)
  const product = await findProduct(ctx, input)
  if (product.amount === 0) return { order_no: '', status: OrderStatus.Paid }
  return transaction(ctx, async (ctx) => {
    const key = pendingKey(ctx.viewer.id, input.order_type, product)
    const pending = await findPending(ctx, key)
    const isGood = pending && pending.expired_at > ctx.now() && !(await isDearer(ctx, pending, product))
    if (isGood) return { order_no: pending.order_no, status: pending.status }
    // Its expiry is due, or it has become cheaper; the new order takes its place.
    if (pending) await releaseKey(ctx, pending.id)
    await assertFewPending(ctx)
    return insertOrder(ctx, ctx.viewer.id, { type: input.order_type, product, key })
  })
}

interface NewOrder {
  type: OrderType
  product: Product
  /** Empty for an order that is settled in the same transaction. */
  key?: string
  requestKey?: string
  remark?: string
}

export async function insertOrder(
  ctx: Ctx,
  userId: number,
  { type, product, key = '', requestKey = '', remark = '' }: NewOrder,
): Promise<{ id: number; order_no: string; status: OrderStatus }> {
  const { db, settings, origin, now } = ctx
  const expiredAt = now() + settings.pay.order_minutes * minuteMs
  const row = await db
    .insertInto('order')
    .values({
      order_no: createNumber(now()),
      user_id: userId,
      type,
      product_id: product.id,
      product_name: product.name,
      quantity: product.quantity,
      price: product.price,
      amount: product.amount,
      money: product.money,
      bonus: product.bonus,
      status: OrderStatus.Pending,
      pending_key: key,
      request_key: requestKey,
      remark,
      ip: origin.ip,
      expired_at: expiredAt,
      created_at: now(),
      updated_at: now(),
    })
    // Another request was faster.
    .onConflict((conflict) =>
      conflict
        .column('pending_key')
        .where('pending_key', '<>', sql.lit(''))
        .doUpdateSet((eb) => ({ pending_key: eb.ref('order.pending_key') })),
    )
    .returning(['id', 'order_no', 'status'])
    .executeTakeFirstOrThrow()
  if (key) await enqueue(ctx, 'orders.expire', { order: row.id }, { runAt: expiredAt })
  return row
}

function pendingKey(userId: number, type: OrderType, { id, quantity }: Product): string {
  return [userId, type, id, quantity].join(':')
}

function findPending({ db }: Ctx, key: string) {
  return db
    .selectFrom('order')
    .select(['id', 'order_no', 'status', 'amount', 'money', 'expired_at'])
    .where('pending_key', '=', key)
    .executeTakeFirst()
}

/** The price may have fallen, or members joined VIP meanwhile. What they have begun to pay stays as it is. */
async function isDearer({ db }: Ctx, pending: Pick<OrderRow, 'id' | 'amount' | 'money'>, product: Product) {
  const { id, amount, money } = pending
  if (product.amount >= amount && product.money >= money) return false
  const begun = await db.selectFrom('payment').select('id').where('order_id', '=', id).limit(1).executeTakeFirst()
  return begun === undefined
}

const maxPending = 50

async function assertFewPending({ db, viewer, now }: MemberCtx): Promise<void> {
  const { count } = await db
    .selectFrom('order')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', viewer.id)
    .where('status', '=', OrderStatus.Pending)
    .where('expired_at', '>', now())
    .executeTakeFirstOrThrow()
  if (count >= maxPending) throw errors.orders.tooManyPending()
}

async function releaseKey({ db }: Ctx, id: number): Promise<void> {
  await db.updateTable('order').set({ pending_key: '' }).where('id', '=', id).execute()
}
