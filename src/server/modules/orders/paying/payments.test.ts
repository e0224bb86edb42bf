import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, PaymentMethod } from '#shared/enums.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const method = PaymentMethod.WeChatPay

let site: PaySite
let wechat: PaySimulator
let buyer: Person
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  site = await openPaySite(clock, wechat)
})
afterAll(async () => {
  await site.close()
  await wechat.close()
})
beforeEach(async () => {
  buyer = await site.member()
})

describe('a notice', () => {
  test('settles the order, and a hundred of them at once settle it once', async () => {
    const { orderNo, attemptNo } = await begin()
    wechat.pay(attemptNo)
    const answers = await Promise.all(Array.from({ length: 100 }, () => wechat.notify(attemptNo)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await site.balanceOf(buyer)).toBe(100)
    expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Paid, has_surplus: false })
    const entries = await site.db.selectFrom('credit_entry').select('id').where('user_id', '=', buyer.id).execute()
    expect(entries).toHaveLength(1)
  })

  test('may come although the answer to the beginning never did', async () => {
    wechat.misbehave('no-answer')
    const { order_no } = await buyer.call(orders.create, { order_type: 3, quantity: 100 })
    expect(await refusal(pay(order_no))).toMatchObject({ reason: 'orders.providerFailed' })
    const attemptNo = wechat.calls.findLast(({ call }) => call === 'create')?.attemptNo ?? ''
    wechat.pay(attemptNo)
    await wechat.notify(attemptNo)
    expect(await site.balanceOf(buyer)).toBe(100)
  })

  test('that comes a day late, for a closed order, is flagged: the buyer sees it, and staff grant it once', async () => {
    const { orderNo, attemptNo } = await begin()
    await buyer.call(orders.close, { order_no: orderNo })
    wechat.pay(attemptNo)
    site.advanceClock(24 * 3_600_000)
    expect((await wechat.notify(attemptNo)).status).toBe(200)
    expect(await site.balanceOf(buyer)).toBe(0)
    expect(await status(orderNo)).toEqual({ status: OrderStatus.Closed, has_surplus: true })
    const [row] = (await site.root.call(orders.list, { has_surplus: true, wd: orderNo })).order
    const id = row?.id ?? 0
    await Promise.allSettled(Array.from({ length: 5 }, () => site.root.call(orders.confirm, { id })))
    expect(await site.balanceOf(buyer)).toBe(100)
    expect(await status(orderNo)).toEqual({ status: OrderStatus.Paid, has_surplus: false })
    site.advanceClock(-24 * 3_600_000)
  })

  test.each([
    ['1 fen less', { fen: 999 }],
    ['1 fen more', { fen: 1001 }],
  ])('of %s is flagged, and grants nothing', async (_name, paid) => {
    const { orderNo, attemptNo } = await begin()
    wechat.pay(attemptNo, paid)
    await wechat.notify(attemptNo)
    expect(await site.balanceOf(buyer)).toBe(0)
    expect(await status(orderNo)).toEqual({ status: OrderStatus.Pending, has_surplus: true })
  })

  test.each([
    ['another merchant', { merchant: '1900000999' }],
    ['another app', { app: 'wx0000000000000000' }],
    ['another currency', { currency: 'USD' }],
  ])('of a payment to %s is refused', async (_name, paid) => {
    const { orderNo, attemptNo } = await begin()
    wechat.pay(attemptNo, paid)
    expect((await wechat.notify(attemptNo)).status).toBeGreaterThanOrEqual(400)
    expect(await site.balanceOf(buyer)).toBe(0)
    expect(await status(orderNo)).toEqual({ status: OrderStatus.Pending, has_surplus: false })
  })

  test.each(['wrong-key', 'unknown-serial', 'probe', 'old-timestamp', 'byte-changed', 'wrong-api-key'] as const)(
    'with the fault “%s” changes nothing, and the right one still settles',
    async (fault) => {
      const { orderNo, attemptNo } = await begin()
      wechat.pay(attemptNo)
      expect((await wechat.notify(attemptNo, fault)).status).toBeGreaterThanOrEqual(400)
      expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Pending })
      expect((await wechat.notify(attemptNo)).status).toBe(200)
      expect(await site.balanceOf(buyer)).toBe(100)
    },
  )

  test('needs no session, and comes through while the site is closed', async () => {
    const { attemptNo } = await begin()
    wechat.pay(attemptNo)
    await site.configure({ 'security.is_close': 'true' })
    expect((await wechat.notify(attemptNo)).status).toBe(200)
    await site.configure({ 'security.is_close': 'false' })
    expect(await site.balanceOf(buyer)).toBe(100)
  })
})

describe('a lost notice', () => {
  test('is made up for by asking, five seconds after the beginning', async () => {
    const { orderNo, attemptNo } = await begin()
    wechat.pay(attemptNo)
    site.advanceClock(6000)
    await site.runDueJobs()
    expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Paid })
  })

  test('is asked about again and again, until the order’s time is over; then it is closed there and here', async () => {
    const { orderNo, attemptNo } = await begin()
    const asked = () => wechat.calls.filter((one) => one.call === 'query' && one.attemptNo === attemptNo).length
    for (const seconds of [6, 11, 31, 61, 301, 601]) {
      const before = asked()
      site.advanceClock(seconds * 1000)
      await site.runDueJobs()
      expect(asked()).toBe(before + 1)
    }
    site.advanceClock(15 * 60_000)
    await site.runDueJobs()
    expect(wechat.calls).toContainEqual({ call: 'close', attemptNo })
    expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Closed })
    const before = asked()
    site.advanceClock(11 * 60_000)
    await site.runDueJobs()
    expect(asked()).toBe(before + 1)
  })

  test('is asked about at once when the buyer comes back, and not faster when the page is loaded again', async () => {
    const { orderNo, attemptNo } = await begin()
    const asked = () => wechat.calls.filter((one) => one.call === 'query' && one.attemptNo === attemptNo).length
    for (const seconds of [6, 11, 31, 61]) {
      site.advanceClock(seconds * 1000)
      await site.runDueJobs()
    }
    site.advanceClock(30_000)
    expect(await refusal((await site.member()).call(orders.check, { order_no: orderNo }))).toMatchObject({
      status: 404,
    })
    await buyer.call(orders.check, { order_no: orderNo })
    await site.runDueJobs()
    expect(asked()).toBe(5)
    wechat.pay(attemptNo)
    for (let times = 0; times < 3; times++) await buyer.call(orders.check, { order_no: orderNo })
    await site.runDueJobs()
    expect([asked(), (await status(orderNo)).status]).toEqual([5, OrderStatus.Pending])
    site.advanceClock(3000)
    await site.runDueJobs()
    expect([asked(), (await status(orderNo)).status]).toEqual([6, OrderStatus.Paid])
  })

  test('of a payment in the last second is found by the expiry', async () => {
    const { orderNo, attemptNo } = await begin()
    site.advanceClock(31 * 60_000)
    wechat.pay(attemptNo)
    await site.runDueJobs()
    expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Paid })
    expect(await site.balanceOf(buyer)).toBe(100)
  })

  test('a provider that does not answer delays the closing, and what was paid is not lost', async () => {
    const { orderNo, attemptNo } = await begin()
    site.advanceClock(31 * 60_000)
    wechat.pay(attemptNo)
    wechat.misbehave('server-error', 2)
    await site.runDueJobs()
    expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Pending })
    site.advanceClock(10 * 60_000)
    await site.runDueJobs()
    expect(await site.balanceOf(buyer)).toBe(100)
  })
})

describe('at the same time', () => {
  test('a double click begins one payment', async () => {
    const { order_no } = await buyer.call(orders.create, { order_type: 3, quantity: 100 })
    const begun = await Promise.all(Array.from({ length: 5 }, () => pay(order_no)))
    expect(new Set(begun.map(({ extra }) => extra?.content)).size).toBe(1)
    expect(begun[0]?.extra).toMatchObject({ kind: 'qrcode', content: expect.stringMatching(/^weixin:/) })
  })

  test('closing while paying ends in granted or flagged, never in neither', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await site.member()
      const { orderNo, attemptNo } = await site.beginTopUp(person, method)
      wechat.pay(attemptNo)
      await Promise.allSettled([person.call(orders.close, { order_no: orderNo }), wechat.notify(attemptNo)])
      const order = await person.call(orders.status, { order_no: orderNo })
      const isGranted = order.status === OrderStatus.Paid
      expect([await site.balanceOf(person), order.has_surplus]).toEqual(isGranted ? [100, false] : [0, true])
    }
  })
})

describe('a refund', () => {
  test('of money goes through the provider, and takes the credits back; what was spent is recorded', async () => {
    const { orderNo } = await paid()
    await site.db.updateTable('user').set({ credit_count: 30 }).where('id', '=', buyer.id).execute()
    expect(await refund(orderNo, 1000)).toMatchObject({ state: 'done' })
    expect(wechat.calls.filter(({ call }) => call === 'refund')).toHaveLength(1)
    expect(await site.balanceOf(buyer)).toBe(0)
    const detail = await site.root.call(orders.detail, { id: await idOf(orderNo) })
    expect(detail).toMatchObject({ refunded_money: 1000, refund: [{ state: 'done', missing_credits: 70 }] })
    expect(await refusal(refund(orderNo, 1))).toMatchObject({ reason: 'orders.refundTooMuch' })
  })

  test('that the provider refuses changes nothing, and can be tried again', async () => {
    const { orderNo } = await paid()
    wechat.answerRefunds('refused')
    expect(await refund(orderNo, 1000)).toMatchObject({ state: 'refused' })
    expect(await site.balanceOf(buyer)).toBe(100)
    wechat.answerRefunds('done')
    expect(await refund(orderNo, 1000)).toMatchObject({ state: 'done' })
    expect(await site.balanceOf(buyer)).toBe(0)
  })

  test('that is still processing ends by a notice, or by asking; another one waits', async () => {
    wechat.answerRefunds('processing')
    const { orderNo } = await paid()
    expect(await refund(orderNo, 400)).toMatchObject({ state: 'processing' })
    expect(await refusal(refund(orderNo, 100))).toMatchObject({ reason: 'orders.refundRunning' })
    expect(await site.balanceOf(buyer)).toBe(100)
    wechat.answerRefunds('done')
    site.advanceClock(61_000)
    await site.runDueJobs()
    expect(await site.balanceOf(buyer)).toBe(60)
  })

  test('without an answer is asked about until there is one, and happens once', async () => {
    const { orderNo } = await paid()
    wechat.misbehave('no-answer')
    expect(await refund(orderNo, 1000)).toMatchObject({ state: 'processing' })
    site.advanceClock(61_000)
    await site.runDueJobs()
    expect(await site.balanceOf(buyer)).toBe(0)
    const detail = await site.root.call(orders.detail, { id: await idOf(orderNo) })
    expect(detail.refund).toMatchObject([{ state: 'done', money: 1000 }])
  })
})

describe('the daily bill', () => {
  test('names what was paid there and not here, here and not there, once each; a lost payment is settled', async () => {
    const unknown = '202611010000000000000000001'
    const vanished = await paid()
    const lost = await begin()
    wechat.pay(lost.attemptNo)
    wechat.changeBill({ forget: vanished.attemptNo, add: { attemptNo: unknown, fen: 777 } })
    wechat.changeBill({ add: { attemptNo: 'of-another-shop', fen: 1 } })
    // Its questions are lost as well.
    await site.db.deleteFrom('job').where('kind', '=', 'orders.ask-payment').execute()
    site.advanceClock(2 * 86_400_000)
    wechat.misbehave('server-error')
    expect(await refusal(site.root.call(orders.reconcile))).toMatchObject({
      reason: 'orders.billFailed',
      message: expect.stringMatching(/^账单没有读到。微信支付：/),
    })
    const { bills, differences: found } = await site.root.call(orders.reconcile)
    expect(bills).toBeGreaterThan(0)
    expect(await site.root.call(orders.reconcile)).toEqual({ bills: 0, differences: 0 })
    const { difference, total } = await site.root.call(orders.differences, { size: 100 })
    expect(total).toBe(found)
    const ofAttempt = (attemptNo: string) => difference.filter(({ attempt_no }) => attempt_no === attemptNo)
    expect(ofAttempt(lost.attemptNo)).toMatchObject([
      { kind: 'missing-here', their_money: 1000, order_no: lost.orderNo },
    ])
    expect(ofAttempt(vanished.attemptNo)).toMatchObject([{ kind: 'missing-there', our_money: 1000 }])
    expect(ofAttempt('of-another-shop')).toEqual([])
    expect(ofAttempt(unknown)).toMatchObject([{ kind: 'missing-here', their_money: 777, order_no: '' }])
  })
})

const begin = () => site.beginTopUp(buyer, method)

async function paid() {
  const begun = await begin()
  wechat.pay(begun.attemptNo)
  await wechat.notify(begun.attemptNo)
  return begun
}

const pay = (order_no: string) => buyer.call(orders.pay, { order_no, payment_type: method })

const status = (order_no: string) => buyer.call(orders.status, { order_no })

let keys = 0
const refund = async (orderNo: string, amount: number) =>
  site.root.call(orders.refund, { id: await idOf(orderNo), amount, reason: '不想要了', key: `refund ${(keys += 1)}` })

async function idOf(orderNo: string): Promise<number> {
  return (await site.root.call(orders.list, { wd: orderNo })).order[0]?.id ?? 0
}
