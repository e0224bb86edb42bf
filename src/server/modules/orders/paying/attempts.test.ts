import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { startAlipaySimulator } from '#server/testing/pay/alipay-simulator.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** What is begun for an order, beside what pays it. */

let site: PaySite
let wechat: PaySimulator
let alipay: PaySimulator
let buyer: Person
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  alipay = await startAlipaySimulator({ isFaceToFace: true, ...clock })
  site = await openPaySite(clock, wechat, alipay)
  await site.configure({ 'pay.enable_cash': 'true', 'vip.enable': 'true' })
})
afterAll(async () => {
  await site.close()
  await wechat.close()
  await alipay.close()
})
beforeEach(async () => {
  buyer = await site.member()
})

test('when an order is paid, its other attempts are closed at their providers', async () => {
  const first = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
  const second = await site.beginTopUp(buyer, PaymentMethod.Alipay)
  wechat.pay(first.attemptNo)
  await wechat.notify(first.attemptNo)
  await site.runDueJobs()
  expect(alipay.calls).toContainEqual({ call: 'close', attemptNo: second.attemptNo })
})

test('a second payment whose notice is lost is found and flagged', async () => {
  const first = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
  const second = await site.beginTopUp(buyer, PaymentMethod.Alipay)
  wechat.pay(first.attemptNo)
  alipay.pay(second.attemptNo)
  await wechat.notify(first.attemptNo)
  await site.runDueJobs()
  expect(await buyer.call(orders.status, { order_no: first.orderNo })).toEqual({
    status: OrderStatus.Paid,
    has_surplus: true,
  })
  expect(await site.balanceOf(buyer)).toBe(100)
})

test('a payment on a phone can be begun again from another network', async () => {
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 50 })
  const payFrom = (ip: string) =>
    site.caller({ token: buyer.token, ip, userAgent: 'Mozilla/5.0 (iPhone) Mobile Safari' })(orders.pay, {
      order_no,
      payment_type: PaymentMethod.WeChatPay,
    })
  await payFrom('203.0.113.1')
  site.advanceClock(5 * 60_000)
  expect((await payFrom('203.0.113.2')).extra).toMatchObject({ kind: 'redirect' })
})

test('whose claim is refused after the end of the order can still pay with a provider, until it ends again', async () => {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
  await buyer.call(orders.claim, { order_no: orderNo, payment_type: PaymentMethod.Cash, content: '给了现金' })
  site.advanceClock(31 * 60_000)
  await site.runDueJobs()
  const { order } = await site.root.call(orders.list, { wd: orderNo })
  await site.root.call(orders.refuse, { id: order[0]?.id ?? 0, remark: '没有收到' })
  await buyer.call(orders.pay, { order_no: orderNo, payment_type: PaymentMethod.WeChatPay })
  expect(wechat.calls.findLast(({ call }) => call === 'create')?.attemptNo).not.toBe(attemptNo)
  site.advanceClock(31 * 60_000)
  await site.runDueJobs()
  expect(await buyer.call(orders.status, { order_no: orderNo })).toMatchObject({ status: OrderStatus.Closed })
})

test('a closed attempt is asked about once more after a while, although a question was due at once', async () => {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
  await buyer.call(orders.close, { order_no: orderNo })
  site.advanceClock(6000)
  await site.runDueJobs()
  wechat.pay(attemptNo)
  site.advanceClock(10 * 60_000)
  await site.runDueJobs()
  expect(await buyer.call(orders.status, { order_no: orderNo })).toEqual({
    status: OrderStatus.Closed,
    has_surplus: true,
  })
})

test('an order that became cheaper is made anew, unless its payment has begun', async () => {
  const { id } = await storeDocument(site, { owner: site.root, price: 10 })
  const create = () => buyer.call(orders.create, { order_type: OrderType.Document, product_id: id })
  const setPrice = (price: number) => site.db.updateTable('document').set({ price }).where('id', '=', id).execute()
  const dear = await create()
  await setPrice(8)
  const cheap = await create()
  expect(cheap.order_no).not.toBe(dear.order_no)
  expect(await buyer.call(orders.get, { order_no: cheap.order_no })).toMatchObject({ amount: 8 })
  await setPrice(9)
  expect(await create()).toEqual(cheap)
  await buyer.call(orders.pay, { order_no: cheap.order_no, payment_type: PaymentMethod.WeChatPay })
  await setPrice(7)
  expect(await create()).toEqual(cheap)
})

test('a member has some pending orders at a time, not any number', async () => {
  const order = (quantity: number) => buyer.call(orders.create, { order_type: OrderType.TopUp, quantity })
  for (let quantity = 1; quantity <= 50; quantity += 1) await order(quantity)
  expect(await refusal(order(51))).toMatchObject({ reason: 'orders.tooManyPending' })
  expect((await order(7)).status).toBe(OrderStatus.Pending)
})

test('a notice that is too large is not read', async () => {
  const { status } = await site.send('POST', '/api/v1/pay/notify/wechat', { body: 'x'.repeat(100_000) })
  expect(status).toBe(413)
})

test('a notice of an order that does not exist is refused', async () => {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
  wechat.pay(attemptNo)
  await site.db.deleteFrom('payment').where('attempt_no', '=', attemptNo).execute()
  expect((await wechat.notify(attemptNo)).status).toBe(400)
  expect(await buyer.call(orders.status, { order_no: orderNo })).toMatchObject({ status: OrderStatus.Pending })
})

test('free downloads with a card and the end of cards at the same time wait for each other', async () => {
  const stored = await Promise.all(
    Array.from({ length: 12 }, () => storeDocument(site, { owner: site.root, price: 5 })),
  )
  await site.db.updateTable('document').set({ is_vip: 1 }).execute()
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Vip, product_id: VipCard.Year })
  const { order } = await site.root.call(orders.list, { wd: order_no })
  await site.root.call(orders.confirm, { id: order[0]?.id ?? 0, payment_type: PaymentMethod.Cash })
  const refund = site.root.call(orders.refund, {
    id: order[0]?.id ?? 0,
    amount: 19_900,
    reason: '退',
    key: 'refund of the card',
  })
  const taken = stored.map(({ id }) => buyer.call(downloads.download, { id }))
  for (const result of await Promise.allSettled([refund, ...taken]))
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: expect.toSatisfy((s) => s < 500) })
})
