import { afterAll, beforeAll, expect, test } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import type { MemberCtx } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { seededRandom } from '#server/testing/seeded-random.ts'
import type { Person } from '#server/testing/site.ts'
import { createOrder } from './orders.create.ts'
import { askAboutPayment } from './paying/ask.ts'
import { closeOrder } from './paying/close.ts'
import { payOrder } from './paying/pay.ts'
import { openProvider } from '#server/gateways/pay/open-provider.ts'
import { settlePayment } from './paying/settle.ts'
import { refundOrder } from './refunds/refund.ts'

/**
 * A process that is killed leaves its open transaction undone, and nothing after it happens. So does one whose clock fails:
 * every step looks at the clock.
 */

/** In each, several steps are killed at several places. */
const rounds = 60

let site: PaySite
let wechat: WeChatSimulator
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  site = await openPaySite(clock, wechat)
  // It keeps the clock that it was opened with: the one that does not fail.
  openProvider('wechat', await site.app.context())
})
afterAll(async () => {
  await site.close()
  await wechat.close()
})

test('wherever it is killed, money that was taken is granted or flagged, once', { timeout: 120_000 }, async () => {
  const random = seededRandom(16)
  const killed = new Map<string, number>()
  const attempts = new Map<string, Person>()
  const buyers = await Promise.all(Array.from({ length: 10 }, () => site.member()))
  for (let round = 0; round < rounds; round += 1) {
    const buyer = buyers[round % buyers.length] ?? site.root
    /** Runs a step until it succeeds: each time it is killed at another place. */
    const persist = async (name: string, step: (ctx: MemberCtx) => Promise<unknown>, by = buyer) => {
      for (let left = Math.floor(random() * 4); left < 200; left += 1 + Math.floor(random() * 8)) {
        try {
          return await step(await dying(by, left))
        } catch (error) {
          if (!(error instanceof Killed)) return undefined
          killed.set(name, (killed.get(name) ?? 0) + 1)
        }
      }
      return undefined
    }
    const input = { order_type: OrderType.TopUp, product_id: 0, quantity: 100 + round }
    const made = (await persist('create', (ctx) => createOrder(ctx, input))) as { order_no: string } | undefined
    if (!made) continue
    const { order_no } = made
    const payment_type = PaymentMethod.WeChatPay
    await persist('pay', (ctx) =>
      payOrder(ctx, { order_no, payment_type, minicode: '', downcode: '', wechat_code: '' }),
    )
    const payment = await findPayment(order_no)
    if (!payment) continue
    const isBegun = wechat.calls.some(({ call, attemptNo }) => call === 'create' && attemptNo === payment.attempt_no)
    if (isBegun && random() < 0.8) {
      wechat.pay(payment.attempt_no)
      attempts.set(payment.attempt_no, buyer)
    }
    if (random() < 0.3) await persist('close', (ctx) => closeOrder(ctx, payment.order_id))
    if (random() < 0.5)
      await persist('notice', async (ctx) => {
        const answer = await openProvider('wechat', ctx).query(payment.attempt_no)
        await settlePayment(ctx, 'wechat', answer)
      })
    else await persist('ask', (ctx) => askAboutPayment(ctx, payment.id))
    if (random() < 0.3) {
      const refund = {
        id: payment.order_id,
        payment_id: 0,
        is_outside: false,
        amount: 100,
        reason: '退',
        key: `refund of ${round}`,
      }
      await persist('refund', (ctx) => refundOrder(ctx, refund), site.root)
    }
  }
  for (const hours of [1, 1, 12]) {
    site.advanceClock(hours * 3_600_000)
    await site.runDueJobs()
  }
  expect(await Array.fromAsync(findBrokenOrders(await site.app.context()))).toEqual([])
  expect(attempts.size).toBeGreaterThan(20)
  for (const [attemptNo, buyer] of attempts) {
    const payment = await site.db
      .selectFrom('payment')
      .innerJoin('order', 'order.id', 'payment.order_id')
      .select(['order.order_no', 'payment.state'])
      .where('attempt_no', '=', attemptNo)
      .executeTakeFirstOrThrow()
    const order = await buyer.call(orders.get, { order_no: payment.order_no })
    const isGranted = order.status === OrderStatus.Paid && payment.state === 'paid'
    expect(isGranted || (order.has_surplus && payment.state === 'surplus'), attemptNo).toBe(true)
  }
  const processing = await site.db.selectFrom('refund').select('id').where('state', '=', 'processing').execute()
  expect(processing).toEqual([])
  for (const step of ['create', 'pay', 'close', 'notice', 'ask', 'refund'])
    expect(killed.get(step), step).toBeGreaterThan(5)
  expect([...killed.values()].reduce((sum, times) => sum + times)).toBeGreaterThan(200)
})

class Killed extends Error {}

/** The context of a person whose process dies at its so-manieth look at the clock. */
async function dying(person: Person, looks: number): Promise<MemberCtx> {
  const ctx = await site.app.context()
  const isRoot = person.id === site.root.id
  const viewer = await loadViewer(ctx, { ...person, is_root: bit(isRoot), sessionId: 0 })
  let left = looks
  const now = () => {
    if (left === 0) throw new Killed()
    left -= 1
    return ctx.now()
  }
  return { ...ctx, viewer, now, member: true }
}

function findPayment(order_no: string) {
  return site.db
    .selectFrom('payment')
    .innerJoin('order', 'order.id', 'payment.order_id')
    .select(['payment.id', 'payment.order_id', 'payment.attempt_no'])
    .where('order.order_no', '=', order_no)
    .executeTakeFirst()
}
