import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codes } from '#shared/contract/codes.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { DownloadCodeKind, OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** A document that the buyer has got in another way while an order for it waits. */

let site: PaySite
let wechat: WeChatSimulator
let buyer: Person
let author: Person
let product_id: number
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  site = await openPaySite(clock, wechat)
  await site.configure({
    'download.enable_code_download': 'true',
    'download.times_every_day': '1000',
    'download.times_every_ip': '1000',
    'pay.enable_cash': 'true',
  })
})
afterAll(async () => {
  await site.close()
  await wechat.close()
})
beforeEach(async () => {
  buyer = await site.member()
  author = await site.member()
  await site.root.call(orders.systemTopUp, { user_id: buyer.id, amount: 100, remark: '测试' })
  product_id = (await storeDocument(site, { owner: author, price: 10 })).id
})

describe('money that arrives for it', () => {
  test('is flagged: the buyer sees it, the author is paid once, and staff refund it', async () => {
    const { order_no, attemptNo } = await beginWithMoney()
    await buyer.call(downloads.download, { id: product_id })
    wechat.pay(attemptNo)
    expect((await wechat.notify(attemptNo)).status).toBe(200)
    await site.runDueJobs()
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({
      status: OrderStatus.Closed,
      has_surplus: true,
    })
    expect([await site.balanceOf(buyer), await site.balanceOf(author)]).toEqual([90, 10])
    const { id, payment, notice } = await detailOf(order_no)
    expect(notice.map(({ detail }) => detail)).toContain('买家已经有这份文档')
    expect(await refusal(site.root.call(orders.confirm, { id }))).toMatchObject({ reason: 'orders.buyerHasIt' })
    const refund = { id, payment_id: payment[0]?.id ?? 0, amount: 100, reason: '买了两次', key: `refund ${id}` }
    expect(await site.root.call(orders.refund, refund)).toMatchObject({ state: 'done' })
    expect(await buyer.call(orders.status, { order_no })).toEqual({ status: OrderStatus.Closed, has_surplus: false })
    expect(await buyer.call(downloads.terms, { id: product_id })).toMatchObject({ bought: true })
    expect(await site.balanceOf(author)).toBe(10)
  })

  test('pays for it after all once the other purchase was refunded', async () => {
    const { order_no, attemptNo } = await beginWithMoney()
    await buyer.call(downloads.download, { id: product_id })
    wechat.pay(attemptNo)
    await wechat.notify(attemptNo)
    await site.runDueJobs()
    const [other] = (await buyer.call(orders.own, { status: [OrderStatus.Paid], order_type: [OrderType.Document] }))
      .order
    await site.root.call(orders.refund, { id: other?.id ?? 0, amount: 10, reason: '留一笔', key: `other ${order_no}` })
    expect(await buyer.call(downloads.terms, { id: product_id })).toMatchObject({ bought: false })
    await site.root.call(orders.confirm, { id: (await detailOf(order_no)).id })
    expect(await buyer.call(orders.status, { order_no })).toEqual({ status: OrderStatus.Paid, has_surplus: false })
    expect(await buyer.call(downloads.terms, { id: product_id })).toMatchObject({ bought: true })
  })

  test('at the same moment as the other purchase grants it once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const document = await storeDocument(site, { owner: author, price: 10 })
      product_id = document.id
      const before = [await site.balanceOf(buyer), await site.balanceOf(author)]
      const { order_no, attemptNo } = await beginWithMoney()
      wechat.pay(attemptNo)
      await Promise.allSettled([wechat.notify(attemptNo), buyer.call(downloads.download, { id: product_id })])
      const after = [await site.balanceOf(buyer), await site.balanceOf(author)]
      const { has_surplus } = await buyer.call(orders.get, { order_no })
      const changes = after.map((value, index) => value - (before[index] ?? 0))
      expect(changes).toEqual(has_surplus ? [-10, 10] : [0, 10])
    }
    expect(await Array.fromAsync(findBrokenOrders(await site.app.context()))).toEqual([])
  })
})

describe('an order that waits for it', () => {
  test('is closed, there and here, and nothing more is taken', async () => {
    const { order_no, attemptNo } = await beginWithMoney()
    await buyer.call(downloads.download, { id: product_id })
    await site.runDueJobs()
    expect(await buyer.call(orders.status, { order_no })).toEqual({ status: OrderStatus.Closed, has_surplus: false })
    expect(wechat.calls).toContainEqual({ call: 'close', attemptNo })
  })

  test('takes no credits', async () => {
    const order_no = await order()
    await buyer.call(downloads.download, { id: product_id })
    expect(await refusal(pay(order_no, PaymentMethod.Credits))).toMatchObject({ reason: 'orders.alreadyBought' })
    expect([await site.balanceOf(buyer), await site.balanceOf(author)]).toEqual([90, 10])
  })

  test('takes no credits for what was bought before there were orders', async () => {
    const order_no = await order()
    const stamps = { created_at: Date.now(), updated_at: Date.now() }
    const row = { user_id: buyer.id, document_id: product_id, ip: '', is_pay: 1 as const, price: 10, ...stamps }
    await site.db.insertInto('download').values(row).execute()
    expect(await refusal(pay(order_no, PaymentMethod.Credits))).toMatchObject({ reason: 'orders.alreadyBought' })
    expect(await site.balanceOf(buyer)).toBe(100)
  })

  test('uses no code up', async () => {
    const order_no = await order()
    await buyer.call(downloads.download, { id: product_id })
    const batch = { kind: DownloadCodeKind.AnyDocument, count: 1 }
    const { code } = await site.root.call(codes.create, batch)
    const [downcode = ''] = code
    const withCode = { order_no, payment_type: PaymentMethod.DownloadCode, downcode }
    expect(await refusal(buyer.call(orders.pay, withCode))).toMatchObject({ reason: 'orders.alreadyBought' })
    const other = await storeDocument(site, { owner: author, price: 10 })
    const next = await buyer.call(orders.create, { order_type: OrderType.Document, product_id: other.id })
    await buyer.call(orders.pay, { ...withCode, order_no: next.order_no })
    expect(await buyer.call(downloads.terms, { id: other.id })).toMatchObject({ bought: true })
  })

  test('is not confirmed by staff, who are told why', async () => {
    const order_no = await order()
    const claim = { order_no, payment_type: PaymentMethod.Cash, content: '付了现金' }
    await buyer.call(orders.claim, claim)
    await buyer.call(downloads.download, { id: product_id })
    await site.runDueJobs()
    const { id } = await detailOf(order_no)
    expect(await refusal(site.root.call(orders.confirm, { id }))).toMatchObject({ reason: 'orders.buyerHasIt' })
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({ status: OrderStatus.Pending })
  })
})

async function order(): Promise<string> {
  return (await buyer.call(orders.create, { order_type: OrderType.Document, product_id })).order_no
}

async function beginWithMoney(): Promise<{ order_no: string; attemptNo: string }> {
  const order_no = await order()
  await pay(order_no, PaymentMethod.WeChatPay)
  const attemptNo = wechat.calls.findLast(({ call }) => call === 'create')?.attemptNo ?? ''
  return { order_no, attemptNo }
}

function pay(order_no: string, payment_type: PaymentMethod) {
  return buyer.call(orders.pay, { order_no, payment_type })
}

async function detailOf(order_no: string) {
  const [row] = (await site.root.call(orders.list, { wd: order_no })).order
  return site.root.call(orders.detail, { id: row?.id ?? 0 })
}
