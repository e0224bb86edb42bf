import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { stats } from '#shared/contract/stats.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import { startThirdPartySimulator } from '#server/testing/pay/third-simulator.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: PaySite
let wechat: WeChatSimulator
let third: PaySimulator
let buyer: Person
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  third = await startThirdPartySimulator('epay')
  site = await openPaySite(clock, wechat, third)
  await site.configure({ 'pay.third_channel': 'alipay' })
})
afterAll(async () => {
  await site.close()
  await wechat.close()
  await third.close()
})
beforeEach(async () => {
  buyer = await site.member()
})

describe('a refund', () => {
  test('whose first answer was lost is not given up because the settings are wrong now', async () => {
    const id = await paidTopUp(wechat, PaymentMethod.WeChatPay)
    wechat.misbehave('no-answer')
    expect(await refund(id, 400)).toMatchObject({ state: 'processing' })
    await site.configure({ 'pay.wechat_serial': 'A'.repeat(40) })
    await nextQuestion()
    expect(await refusal(refund(id, 400))).toMatchObject({ reason: 'orders.refundRunning' })
    await site.configure({ 'pay.wechat_serial': wechat.settings['wechat_serial'] ?? '' })
    await nextQuestion()
    const { refund: refunds } = await site.root.call(orders.detail, { id })
    expect(refunds).toMatchObject([{ state: 'done', money: 400 }])
  })

  test('without an answer is in no sum yet: those of the list, of its days and of the statistics are those of the rows', async () => {
    const id = await paidTopUp(wechat, PaymentMethod.WeChatPay)
    const before = await income(id)
    wechat.answerRefunds('processing')
    expect(await refund(id, 400)).toMatchObject({ state: 'processing' })
    expect(await income(id)).toEqual({ ...before, list: 1000, row: { refunded_money: 0, is_refunding: true } })
    wechat.answerRefunds('done')
    await nextQuestion()
    expect(await income(id)).toEqual({
      row: { refunded_money: 400, is_refunding: false },
      list: 600,
      days: before.days - 400,
      statistics: before.statistics - 400,
      taken_back: before.taken_back + 1,
    })
  })

  test('of money that came beside an order changes none of its sums', async () => {
    const { orderNo, attemptNo } = await site.beginTopUp(buyer, PaymentMethod.ThirdParty)
    await buyer.call(orders.pay, { order_no: orderNo, payment_type: PaymentMethod.WeChatPay })
    await pay(wechat, wechat.calls.findLast(({ call }) => call === 'create')?.attemptNo ?? '')
    const id = await idOf(orderNo)
    expect(await refund(id, 300)).toMatchObject({ state: 'done' })
    await pay(third, attemptNo)
    const before = await income(id)
    expect(before).toMatchObject({ list: 700, row: { refunded_money: 300, is_refunding: false } })
    const { payment } = await site.root.call(orders.detail, { id })
    const surplus = payment.find(({ state }) => state === 'surplus')?.id ?? 0
    third.misbehave('no-answer')
    expect(await refund(id, 1000, { payment_id: surplus })).toMatchObject({ state: 'processing' })
    expect(await income(id)).toEqual(before)
    await nextQuestion()
    expect(await income(id)).toEqual(before)
  })

  test('that cannot even be sent is refused at once, and can be tried again', async () => {
    const id = await paidTopUp(wechat, PaymentMethod.WeChatPay)
    await site.configure({ 'pay.wechat_serial': 'A'.repeat(40) })
    expect(await refund(id, 400)).toMatchObject({ state: 'refused' })
    await site.configure({ 'pay.wechat_serial': wechat.settings['wechat_serial'] ?? '' })
    expect(await refund(id, 400)).toMatchObject({ state: 'done' })
  })

  test('that was made at the provider itself is recorded, and not made again', async () => {
    const id = await paidTopUp(wechat, PaymentMethod.WeChatPay)
    const asked = wechat.calls.filter(({ call }) => call === 'refund').length
    expect(await refund(id, 1000, { is_outside: true })).toMatchObject({ state: 'done' })
    expect(await site.balanceOf(buyer)).toBe(0)
    await nextQuestion()
    expect(wechat.calls.filter(({ call }) => call === 'refund')).toHaveLength(asked)
    expect(await refusal(refund(id, 1))).toMatchObject({ reason: 'orders.refundTooMuch' })
  })

  test('in parts takes back as much as one of the whole', async () => {
    const id = await paidTopUp(wechat, PaymentMethod.WeChatPay, 3)
    for (const part of [9, 9, 9, 3]) await refund(id, part)
    expect(await site.balanceOf(buyer)).toBe(0)
  })
})

describe('the comparison with the provider', () => {
  test('of a gateway without a bill does not miss refunds there', async () => {
    const id = await paidTopUp(third, PaymentMethod.ThirdParty)
    await refund(id, 1000)
    // Somebody else has left for the gateway, and never came there.
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 60 })
    await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.ThirdParty })
    site.advanceClock(2 * 86_400_000)
    expect((await site.root.call(orders.reconcile)).bills).toBeGreaterThan(0)
    const { difference } = await site.root.call(orders.differences)
    expect(difference.filter(({ provider }) => provider === 'third')).toEqual([])
  })

  test('goes on for what was paid before the provider was switched off', async () => {
    const begun = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
    wechat.pay(begun.attemptNo)
    await site.db.deleteFrom('job').where('kind', '=', 'orders.ask-payment').execute()
    await site.configure({ 'pay.enable_wechat': 'false' })
    site.advanceClock(2 * 86_400_000)
    await site.root.call(orders.reconcile)
    await site.configure({ 'pay.enable_wechat': 'true' })
    expect((await site.root.call(orders.differences, { wd: begun.orderNo })).difference).toMatchObject([
      { kind: 'missing-here' },
    ])
  })
})

/** The amount that went back of an order, and all the sums that it is part of. */
async function income(id: number) {
  const { order_no, refunded_money, is_refunding } = await site.root.call(orders.detail, { id })
  const { money: list } = await site.root.call(orders.list, { wd: order_no })
  const { day } = await site.root.call(orders.sums)
  const { money: statistics, taken_back } = await site.root.call(stats.sales, {})
  const days = day.reduce((sum, { money }) => sum + money, 0)
  return { row: { refunded_money, is_refunding }, list, days, statistics, taken_back }
}

async function paidTopUp(simulator: PaySimulator, method: PaymentMethod, credits = 100): Promise<number> {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, method, credits)
  await pay(simulator, attemptNo)
  return idOf(orderNo)
}

async function pay(simulator: PaySimulator, attemptNo: string): Promise<void> {
  simulator.pay(attemptNo)
  await simulator.notify(attemptNo)
}

async function idOf(orderNo: string): Promise<number> {
  return (await site.root.call(orders.list, { wd: orderNo })).order[0]?.id ?? 0
}

let keys = 0
const refund = (id: number, amount: number, more: { is_outside?: boolean; payment_id?: number } = {}) =>
  site.root.call(orders.refund, { id, amount, reason: '不想要了', key: `a refund ${(keys += 1)}`, ...more })

async function nextQuestion(): Promise<void> {
  site.advanceClock(6 * 3_600_000)
  await site.runDueJobs()
}
