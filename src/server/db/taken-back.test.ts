import { expect, test } from 'vitest'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { copyDatabase } from '#server/testing/databases/database.ts'
import { migrate, migrations } from './migrate.ts'
import { openDatabase } from './open.ts'

test('on a site of the version before, what refunds took is recorded and called what it is', async () => {
  const copy = await copyDatabase({ empty: true })
  const database = openDatabase(copy.url, { durable: false })
  const { db } = database
  try {
    await migrate(
      database,
      migrations.findIndex(([name]) => name === '0039-taken-back'),
    )
    const stamps = { created_at: 0, updated_at: 0 }
    const order = (type: OrderType, product_id: number) => ({
      order_no: `number ${type}`,
      user_id: 1,
      type,
      product_id,
      product_name: '',
      price: 30,
      amount: 30,
      money: 300,
      status: OrderStatus.Paid,
      payment_method: PaymentMethod.Alipay,
      pending_key: '',
      expired_at: 0,
      ...stamps,
    })
    await db
      .insertInto('order')
      .values([order(OrderType.Document, 77), order(OrderType.TopUp, 0)])
      .execute()
    const [sold, topUp] = (await db.selectFrom('order').select('id').orderBy('id').execute()).map(({ id }) => id)
    for (const order_id of [sold ?? 0, topUp ?? 0]) {
      const refund = { order_id, refund_no: `R${order_id}`, money: 300, credits: 0, reason: '', user_id: 1, ...stamps }
      await db
        .insertInto('refund')
        .values({ ...refund, state: 'done' })
        .execute()
      const entry = { user_id: 2, balance: 0, reason: 'refund', note: '', created_at: 0, ref_id: order_id }
      await db
        .insertInto('credit_entry')
        .values({ ...entry, amount: -30, key: `take-back:${order_id}` })
        .execute()
      await db
        .insertInto('credit_entry')
        .values({ ...entry, amount: 30, key: `refund:${order_id}` })
        .execute()
    }
    await migrate(database)
    const entries = await db.selectFrom('credit_entry').select(['amount', 'reason', 'ref_id']).orderBy('id').execute()
    expect(entries).toEqual([
      { amount: -30, reason: 'saleWithdrawn', ref_id: 77 },
      { amount: 30, reason: 'refund', ref_id: sold },
      { amount: -30, reason: 'topUpWithdrawn', ref_id: topUp },
      { amount: 30, reason: 'refund', ref_id: topUp },
    ])
    const refunds = await db.selectFrom('refund').select('taken_credits').execute()
    expect(refunds.map(({ taken_credits }) => taken_credits)).toEqual([30, 30])
  } finally {
    await db.destroy()
    await copy.remove()
  }
})
