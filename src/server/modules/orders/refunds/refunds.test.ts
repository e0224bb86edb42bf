import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import { startThirdPartySimulator } from '#server/testing/pay/third-simulator.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: PaySite
let wechat: PaySimulator
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

async function paidTopUp(simulator: PaySimulator, method: PaymentMethod, credits = 100): Promise<number> {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, method, credits)
  simulator.pay(attemptNo)
  await simulator.notify(attemptNo)
  return (await site.root.call(orders.list, { wd: orderNo })).order[0]?.id ?? 0
}

let keys = 0
const refund = (id: number, amount: number, more: { is_outside?: boolean } = {}) =>
  site.root.call(orders.refund, { id, amount, reason: '不想要了', key: `a refund ${(keys += 1)}`, ...more })

async function nextQuestion(): Promise<void> {
  site.advanceClock(6 * 3_600_000)
  await site.runDueJobs()
}
