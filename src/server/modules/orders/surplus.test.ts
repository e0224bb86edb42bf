import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documents, documentRecycle } from '#shared/contract/documents.ts'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { type BegunPayment, openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** Money that came and could not be granted: it is granted or given back, never both, and never forgotten. */

const method = PaymentMethod.WeChatPay

let site: PaySite
let wechat: WeChatSimulator
let buyer: Person
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  site = await openPaySite(clock, wechat)
  await site.configure({ 'vip.enable': 'true' })
})
afterAll(async () => {
  await site.close()
  await wechat.close()
})
beforeEach(async () => {
  buyer = await site.member()
})

describe('a late payment', () => {
  test('that went back is not granted any more', async () => {
    const { orderNo } = await lateTopUp()
    const id = await idOf(orderNo)
    await refundSurplus(id)
    expect(await refusal(site.root.call(orders.confirm, { id }))).toMatchObject({ reason: 'orders.notPending' })
    expect(await site.balanceOf(buyer)).toBe(0)
    expect(await status(orderNo)).toEqual({ status: OrderStatus.Closed, has_surplus: false })
  })

  test('that is on its way back is not granted either', async () => {
    const { orderNo } = await lateTopUp()
    const id = await idOf(orderNo)
    wechat.answerRefunds('processing')
    await refundSurplus(id)
    expect(await refusal(site.root.call(orders.confirm, { id }))).toMatchObject({ reason: 'orders.notPending' })
    wechat.answerRefunds('done')
    site.advanceClock(61_000)
    await site.runDueJobs()
    expect(await site.balanceOf(buyer)).toBe(0)
  })

  test('whose refund was refused is granted', async () => {
    const { orderNo } = await lateTopUp()
    const id = await idOf(orderNo)
    wechat.answerRefunds('refused')
    await refundSurplus(id)
    wechat.answerRefunds('done')
    await site.root.call(orders.confirm, { id })
    expect(await site.balanceOf(buyer)).toBe(100)
  })

  test('shows in the list of a buyer who had removed the order', async () => {
    const { orderNo, attemptNo } = await site.beginTopUp(buyer, method)
    await buyer.call(orders.close, { order_no: orderNo })
    await buyer.call(orders.delete, { id: [await idOf(orderNo)] })
    expect((await buyer.call(orders.own)).order).toEqual([])
    await pay(attemptNo)
    expect((await buyer.call(orders.own)).order).toMatchObject([{ order_no: orderNo, has_surplus: true }])
  })
})

test('a payment for a document that was deleted meanwhile is what a restored one is granted with', async () => {
  const { id: documentId } = await storeDocument(site, { owner: site.root, price: 10 })
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Document, product_id: documentId })
  const attemptNo = await begin(order_no)
  await site.root.call(documents.delete, { id: [documentId] })
  await pay(attemptNo)
  expect(await status(order_no)).toEqual({ status: OrderStatus.Pending, has_surplus: true })
  await site.root.call(documentRecycle.restore, { id: [documentId] })
  const id = await idOf(order_no)
  await site.root.call(orders.confirm, { id })
  const { payment, payment_type, has_surplus } = await site.root.call(orders.detail, { id })
  expect({ payment, payment_type, has_surplus }).toMatchObject({
    payment: [{ state: 'paid' }],
    payment_type: method,
    has_surplus: false,
  })
})

test('a payment that the settings no longer fit is flagged when the provider is asked, and not lost', async () => {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, method)
  await site.configure({ 'pay.wechat_app_id': 'wx0000000000000000' })
  wechat.pay(attemptNo)
  expect((await wechat.notify(attemptNo)).status).toBeGreaterThanOrEqual(400)
  site.advanceClock(6000)
  await site.runDueJobs()
  expect(await status(orderNo)).toEqual({ status: OrderStatus.Pending, has_surplus: true })
  await site.configure({ 'pay.wechat_app_id': wechat.settings['wechat_app_id'] ?? '' })
  expect(await site.root.call(orders.refund, refundOf(await idOf(orderNo), await surplusOf(orderNo)))).toMatchObject({
    state: 'done',
  })
})

test('a payment of a member who does not exist any more is flagged', async () => {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, method)
  await site.db.deleteFrom('user').where('id', '=', buyer.id).execute()
  await pay(attemptNo)
  expect((await site.root.call(orders.list, { wd: orderNo })).order).toMatchObject([
    { status: OrderStatus.Pending, has_surplus: true },
  ])
})

test('staff do not confirm orders of their own', async () => {
  const person = await site.staff('OrderAPI/ListOrder', 'OrderAPI/UpdateOrder')
  const { order_no } = await person.call(orders.create, { order_type: OrderType.TopUp, quantity: 1_000_000 })
  const confirm = person.call(orders.confirm, { id: await idOf(order_no), payment_type: PaymentMethod.Cash })
  expect(await refusal(confirm)).toMatchObject({ reason: 'access.ownGain' })
  expect(await site.balanceOf(person)).toBe(0)
})

test('an order is deleted only when no payment can come for it any more', async () => {
  const { orderNo, attemptNo } = await site.beginTopUp(buyer, method)
  await buyer.call(orders.close, { order_no: orderNo })
  const id = [await idOf(orderNo)]
  expect(await refusal(site.root.call(orders.delete, { id }))).toMatchObject({ reason: 'orders.attemptKept' })
  await pay(attemptNo)
  expect(await refusal(site.root.call(orders.delete, { id }))).toMatchObject({ reason: 'orders.paidKept' })
})

test('a card that is granted late is taken back with its refund, and the books agree', async () => {
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Vip, product_id: VipCard.Year })
  const attemptNo = await begin(order_no)
  await buyer.call(orders.close, { order_no })
  await pay(attemptNo)
  const id = await idOf(order_no)
  await site.root.call(orders.confirm, { id })
  const { money } = await site.root.call(orders.detail, { id })
  await site.root.call(orders.refund, { id, amount: money, reason: '退', key: 'refund of the card' })
  const card = await site.db
    .selectFrom('user_vip')
    .selectAll()
    .where('user_id', '=', buyer.id)
    .executeTakeFirstOrThrow()
  expect(card.expired_at).toBeLessThanOrEqual((await site.app.context()).now())
  expect(await Array.fromAsync(findBrokenOrders(await site.app.context()))).toEqual([])
})

async function lateTopUp(): Promise<BegunPayment> {
  const begun = await site.beginTopUp(buyer, method)
  await buyer.call(orders.close, { order_no: begun.orderNo })
  await pay(begun.attemptNo)
  return begun
}

async function begin(order_no: string): Promise<string> {
  await buyer.call(orders.pay, { order_no, payment_type: method })
  return wechat.calls.findLast(({ call }) => call === 'create')?.attemptNo ?? ''
}

async function pay(attemptNo: string): Promise<void> {
  wechat.pay(attemptNo)
  expect((await wechat.notify(attemptNo)).status).toBe(200)
}

const status = (order_no: string) => buyer.call(orders.status, { order_no })

async function idOf(orderNo: string): Promise<number> {
  return (await site.root.call(orders.list, { wd: orderNo })).order[0]?.id ?? 0
}

async function surplusOf(orderNo: string): Promise<number> {
  const { payment } = await site.root.call(orders.detail, { id: await idOf(orderNo) })
  return payment.find(({ state }) => state === 'surplus')?.id ?? 0
}

let keys = 0
const refundOf = (id: number, payment_id: number) => ({
  id,
  payment_id,
  amount: 1000,
  reason: '退',
  key: `surplus ${(keys += 1)}`,
})

async function refundSurplus(id: number): Promise<void> {
  const { order_no } = await site.root.call(orders.detail, { id })
  await site.root.call(orders.refund, refundOf(id, await surplusOf(order_no)))
}
