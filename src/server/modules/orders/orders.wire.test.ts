import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { orders } from '#shared/contract/orders.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import type { Person } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** Orders and VIP as existing clients ask for them, and what they read. Zero values are left out of replies. */

let site: PaySite
let wechat: WeChatSimulator
let buyer: Person
let documentId: number
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator({ mode: 'both', ...clock })
  site = await openPaySite(clock, wechat)
  await site.configure({ 'vip.enable': 'true' })
  buyer = await site.member()
  documentId = (await storeDocument(site, { owner: await site.member(), price: 12, title: '琴谱' })).id
  await site.root.call(orders.systemTopUp, { user_id: buyer.id, amount: 5000, remark: '活动' })
})
afterAll(async () => {
  await site.close()
  await wechat.close()
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/)
const orderNo = expect.stringMatching(/^[0-9A-Za-z]{1,32}$/)

describe('an order', () => {
  test('for a document: made, read, paid with points and listed', async () => {
    const order = { order_type: OrderType.Document, product_id: documentId }
    const made = await send('POST', '/order', { ...order })
    expect(made).toEqual({ order_no: orderNo, status: OrderStatus.Pending })
    expect(await send('POST', '/order', order)).toEqual(made)
    const { order_no } = made
    expect(await send('GET', `/order?order_no=${order_no}`)).toMatchObject({
      ...order,
      order_no,
      product_name: '琴谱',
      quantity: 1,
      price: 12,
      amount: 12,
      money: 120,
      status: OrderStatus.Pending,
      created_at: time,
      expired_at: time,
    })
    expect(await send('GET', `/order/status?order_no=${order_no}`)).toEqual({ status: OrderStatus.Pending })
    await send('POST', '/order/pay', { order_no, payment_type: PaymentMethod.Credits })
    expect(await send('GET', `/order/status?order_no=${order_no}`)).toEqual({ status: OrderStatus.Paid })
    expect(await send('POST', '/order', order)).toEqual({ status: OrderStatus.Paid })
    const own = await send('GET', '/user/order?page=1&size=10&status=2')
    expect(own).toMatchObject({
      total: 2,
      order: [
        { ...order, order_no, status: OrderStatus.Paid, payment_type: PaymentMethod.Credits, paid_at: time },
        { order_type: OrderType.TopUp, amount: 5000, payment_type: PaymentMethod.SystemTopUp, paid_at: time },
      ],
    })
  })

  test('is removed by its number, as the mobile client does it', async () => {
    const { order_no } = await send('POST', '/order', { order_type: OrderType.TopUp, quantity: 30 })
    await send('PUT', '/order/close', { order_no })
    await send('DELETE', `/order?order_no=${order_no}`)
    expect((await send('GET', '/user/order?status=3')).order).toBeUndefined()
    const headers = { authorization: `bearer ${buyer.token}` }
    expect((await site.send('DELETE', '/api/v1/order', { headers })).status).toBe(400)
    const another = { authorization: `bearer ${site.root.token}` }
    expect((await site.send('DELETE', `/api/v1/order?order_no=${order_no}`, { headers: another })).status).toBe(404)
  })

  test('is closed, and then removed by its repeated id', async () => {
    const made = [
      await send('POST', '/order', { order_type: OrderType.TopUp, quantity: 10 }),
      await send('POST', '/order', { order_type: OrderType.TopUp, quantity: 20 }),
    ]
    for (const { order_no } of made) await send('PUT', '/order/close', { order_no })
    const { order } = await send('GET', '/user/order?status=3')
    expect(order).toMatchObject([
      { amount: 20, closed_at: time },
      { amount: 10, closed_at: time },
    ])
    await send('DELETE', `/order?${order.map(({ id }) => `id=${id}`).join('&')}`)
    expect(await send('GET', '/user/order?status=3')).toEqual({ now: expect.any(String) })
  })
})

describe('a card', () => {
  test('is an order whose product is 0 for a year, which clients may leave out', async () => {
    const { order_no } = await send('POST', '/order', { order_type: OrderType.Vip })
    await send('POST', '/order/pay', { order_no, payment_type: PaymentMethod.Credits })
    const quarter = { order_type: OrderType.Vip, product_id: VipCard.Quarter }
    const next = await send('POST', '/order', quarter)
    await send('POST', '/order/pay', { order_no: next.order_no, payment_type: PaymentMethod.Credits })
    const card = { times: 50, discount: 80, joined_at: time, expired_at: time }
    expect(await send('GET', '/user/vip')).toMatchObject({
      total: 2,
      user_vip: [
        { ...card, id: expect.any(Number), type: VipCard.Quarter, order_no: next.order_no },
        { ...card, id: expect.any(Number), order_no },
      ],
    })
    expect(await send('GET', '/user/vip/active')).toMatchObject({ ...card, order_no })
    expect(await send('GET', '/user/vip/order')).toMatchObject({
      total: 2,
      order: [
        { ...quarter, order_no: next.order_no, product_name: 'VIP 季卡' },
        { order_type: OrderType.Vip, order_no, product_name: 'VIP 年卡' },
      ],
    })
    // The card that an order has brought, at the top.
    expect(await send('GET', `/user/vip/order?order_no=${order_no}`)).toMatchObject({ ...card, order_no, total: 1 })
    const unpaid = await send('POST', '/order', { order_type: OrderType.Vip, product_id: VipCard.Month })
    const pending = await send('GET', `/user/vip/order?order_no=${unpaid.order_no}`)
    expect(pending).toMatchObject({ order: [{ order_no: unpaid.order_no }] })
    expect(pending).not.toHaveProperty('expired_at')
    await send('PUT', '/order/close', { order_no: unpaid.order_no })
    await send('DELETE', `/order?order_no=${unpaid.order_no}`)
    expect(await send('GET', '/user')).toMatchObject({ id: buyer.id, is_vip: true })
    const { user_vip } = await send('GET', `/uservip/list?user_id=${buyer.id}`, undefined, site.root)
    expect(user_vip).toMatchObject([{ user_id: buyer.id, username: buyer.username }, { user_id: buyer.id }])
  })

  test('takes a document that staff have marked; lists are filtered by it', async () => {
    await send('PUT', '/document/vip', { id: documentId, is_vip: true }, site.root)
    expect(await send('GET', '/document/list?fee_type=vip')).toMatchObject({
      document: [{ id: documentId, is_vip: true }],
    })
    expect(await send('GET', `/document/download/vip?id=${documentId}`)).toEqual({ url: expect.any(String) })
  })
})

test('the keys of WeChat Pay are listed for staff', async () => {
  const { cert } = await send('GET', '/wechatpay/cert', undefined, site.root)
  expect(cert).toContainEqual({ serial_no: expect.any(String), kind: 'public_key' })
  expect(cert).toContainEqual({ serial_no: expect.any(String), kind: 'certificate', expired_at: time })
})

test('staff list orders by everything, and the settings tell what clients need to know', async () => {
  const query = `user_id=${buyer.id}&status=2&order_type=1&payment_type=5&created_at=2020-01-01&created_at=&wd=琴&order=id+desc`
  const list = await send('GET', `/order/list?page=1&size=10&${query}`, undefined, site.root)
  expect(list).toMatchObject({ total: 1, order: [{ product_id: documentId, user_id: buyer.id }] })
  expect(await send('GET', '/settings?from=1')).toMatchObject({
    system: { credit_name: '豆子', credit_exchange: 10 },
    payment: { enable_wechatpay: true },
    vip: { enable: true, year_price: 19_900, quarter_document_discount: 80, month_times_every_day: 50 },
  })
})

test('an advertisement that is watched brings credits, where the owner turns it on', async () => {
  expect(await send('GET', '/user/rewarded/opportunities')).not.toHaveProperty('enable')
  await site.configure({ 'pay.enable_advertisement': 'true' })
  expect(await send('GET', '/settings?from=1')).toMatchObject({ payment: { enable_advertisement: true } })
  const chances = await send('GET', '/user/rewarded/opportunities')
  expect(chances).toMatchObject({ enable: true, credit_times: 5, credit_count: 1 })
  // No order is paid by watching, so none is offered, and it is refused.
  expect(chances).not.toHaveProperty('download_times')
  const { order_no } = await send('POST', '/order', { order_type: OrderType.TopUp, quantity: 10 })
  const refused = await site.send('POST', '/api/v1/order/pay', {
    headers: { authorization: `bearer ${buyer.token}`, 'content-type': 'application/json' },
    body: { order_no, payment_type: PaymentMethod.Advertisement },
  })
  expect(refused.status).toBe(400)
  site.advanceClock(60_000)
  expect(await send('PUT', '/user/rewarded/credit', { adunit_id: 'adunit-1' })).toMatchObject({ order_no: orderNo })
})

/** With the header as the mobile client writes it. */
async function send(method: string, path: string, body?: unknown, { token }: { token: string } = buyer) {
  const headers = { authorization: `bearer ${token}`, 'content-type': 'application/json' }
  const { status, json } = await site.send(method, `/api/v1${path}`, { headers, body })
  expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBe(200)
  return json as Record<string, unknown> & { order_no: string; order: { id: number }[] }
}
