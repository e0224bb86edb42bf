import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { startAlipaySimulator } from '#server/testing/pay/alipay-simulator.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startThirdPartySimulator } from '#server/testing/pay/third-simulator.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** Every provider behind the same orders, and several at once. */

let site: PaySite
let simulators: Record<'wechat' | 'alipay' | 'third', PaySimulator>
let buyer: Person
beforeAll(async () => {
  const clock = sharedClock()
  simulators = {
    wechat: await startWeChatSimulator(clock),
    alipay: await startAlipaySimulator({ isFaceToFace: true, ...clock }),
    third: await startThirdPartySimulator('epay'),
  }
  site = await openPaySite(clock, ...Object.values(simulators))
  await site.configure({ 'pay.third_channel': 'alipay' })
})
afterAll(async () => {
  await site.close()
  await Promise.all(Object.values(simulators).map((simulator) => simulator.close()))
})
beforeEach(async () => {
  buyer = await site.member()
})

const methods = [
  ['wechat', PaymentMethod.WeChatPay],
  ['alipay', PaymentMethod.Alipay],
  ['third', PaymentMethod.ThirdParty],
] as const

describe.each(methods)('%s', (name, method) => {
  test('pays an order by a notice, once', async () => {
    const { orderNo, attemptNo } = await site.beginTopUp(buyer, method)
    simulators[name].pay(attemptNo)
    const answers = await Promise.all(Array.from({ length: 20 }, () => simulators[name].notify(attemptNo)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await site.balanceOf(buyer)).toBe(100)
    expect(await buyer.call(orders.get, { order_no: orderNo })).toMatchObject({ payment_type: method })
    expect(simulators[name].complaints).toEqual([])
  })

  test('pays an order whose notice was lost', async () => {
    const { orderNo, attemptNo } = await site.beginTopUp(buyer, method)
    simulators[name].pay(attemptNo)
    site.advanceClock(6000)
    await site.runDueJobs()
    expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Paid })
  })

  test('refuses a notice that it did not send', async () => {
    const { orderNo, attemptNo } = await site.beginTopUp(buyer, method)
    simulators[name].pay(attemptNo)
    const { body } = await simulators[name].notify(attemptNo, 'wrong-key')
    expect(body).not.toMatch(/^success$/)
    expect(await status(orderNo)).toMatchObject({ status: OrderStatus.Pending })
  })
})

describe('several methods for one order', () => {
  test('both paid: one is granted, the other one is flagged and can be refunded', async () => {
    const begun = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
    const other = await site.beginTopUp(buyer, PaymentMethod.Alipay)
    expect(other.orderNo).toBe(begun.orderNo)
    simulators.wechat.pay(begun.attemptNo)
    simulators.alipay.pay(other.attemptNo)
    await Promise.all([simulators.wechat.notify(begun.attemptNo), simulators.alipay.notify(other.attemptNo)])
    expect(await site.balanceOf(buyer)).toBe(100)
    expect(await status(begun.orderNo)).toEqual({ status: OrderStatus.Paid, has_surplus: true })
    const id = (await site.root.call(orders.list, { has_surplus: true, user_id: [buyer.id] })).order[0]?.id ?? 0
    const detail = await site.root.call(orders.detail, { id })
    const surplus = detail.payment.find(({ state }) => state === 'surplus')
    const refund = { id, payment_id: surplus?.id ?? 0, amount: 1000, reason: '付了两次', key: 'paid twice' }
    expect(await site.root.call(orders.refund, refund)).toMatchObject({ state: 'done' })
    expect(await site.balanceOf(buyer)).toBe(100)
    expect(await status(begun.orderNo)).toEqual({ status: OrderStatus.Paid, has_surplus: false })
    expect(await refusal(site.root.call(orders.refund, { ...refund, key: 'and again' }))).toMatchObject({
      reason: 'orders.refundTooMuch',
    })
  })

  test('both paid: each payment can be refunded, in any order, once and never more than it brought', async () => {
    for (const isOwnFirst of [true, false]) {
      buyer = await site.member()
      const { id, own, surplus } = await payTwice()
      let keys = 0
      const refund = (payment_id: number | undefined, amount: number) =>
        site.root.call(orders.refund, {
          id,
          payment_id,
          amount,
          reason: '付了两次',
          key: `${id} refund ${(keys += 1)}`,
        })
      const tooMuch = { reason: 'orders.refundTooMuch' }
      // The payment that settled the order is the default.
      for (const payment of isOwnFirst ? [undefined, surplus] : [surplus, own]) {
        expect(await refusal(refund(payment, 1001))).toMatchObject(tooMuch)
        expect(await refund(payment, 400)).toMatchObject({ state: 'done' })
        expect(await refusal(refund(payment, 601))).toMatchObject(tooMuch)
        const rest = await Promise.allSettled(Array.from({ length: 3 }, () => refund(payment, 600)))
        expect(rest.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect(await refusal(refund(payment, 1))).toMatchObject(tooMuch)
      }
      expect(await refusal(refund(999_999, 1))).toMatchObject({ reason: 'orders.notRefundable' })
      const detail = await site.root.call(orders.detail, { id })
      expect(detail).toMatchObject({ has_surplus: false, refunded_money: 1000 })
      expect(detail.refund.reduce((sum, { money }) => sum + money, 0)).toBe(2000)
      expect(await site.balanceOf(buyer)).toBe(0)
    }
    expect(await Array.fromAsync(findBrokenOrders(await site.app.context()))).toEqual([])
  })

  test('money and credits at once: one pays, the other is flagged or refused', async () => {
    const author = await site.member()
    const { id: product_id } = await storeDocument(site, { owner: author, price: 10 })
    await site.root.call(orders.systemTopUp, { user_id: buyer.id, amount: 10, remark: '测试' })
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Document, product_id })
    await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.WeChatPay })
    const attemptNo = simulators.wechat.calls.findLast(({ call }) => call === 'create')?.attemptNo ?? ''
    simulators.wechat.pay(attemptNo)
    await Promise.allSettled([
      buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits }),
      simulators.wechat.notify(attemptNo),
    ])
    const { payment_type, has_surplus } = await buyer.call(orders.get, { order_no })
    const isByCredits = payment_type === PaymentMethod.Credits
    expect([await site.balanceOf(buyer), has_surplus]).toEqual(isByCredits ? [0, true] : [10, false])
    expect(await site.balanceOf(author)).toBe(10)
  })
})

/** One order, paid by two providers. */
async function payTwice(): Promise<{ id: number; own: number; surplus: number }> {
  const first = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
  const second = await site.beginTopUp(buyer, PaymentMethod.Alipay)
  simulators.wechat.pay(first.attemptNo)
  simulators.alipay.pay(second.attemptNo)
  await simulators.wechat.notify(first.attemptNo)
  await simulators.alipay.notify(second.attemptNo)
  const [row] = (await site.root.call(orders.list, { wd: first.orderNo })).order
  const { id, payment } = await site.root.call(orders.detail, { id: row?.id ?? 0 })
  const idOf = (state: string) => payment.find((one) => one.state === state)?.id ?? 0
  return { id, own: idOf('paid'), surplus: idOf('surplus') }
}

const status = (order_no: string) => buyer.call(orders.status, { order_no })
