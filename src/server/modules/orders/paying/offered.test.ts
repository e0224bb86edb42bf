import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checklist } from '#shared/contract/checklist.ts'
import { orders } from '#shared/contract/orders.ts'
import { settings } from '#shared/contract/settings.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** Payment methods that buyers are offered, with their order and names, and what the owner is told of the rest. */

let site: Site
let buyer: Person
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const off = {
  'system.domain': 'https://wenku.example.com',
  'pay.enable_alipay': 'false',
  'pay.enable_third': 'false',
  'pay.enable_other': 'false',
  'pay.enable_bank_card': 'false',
  'pay.enable_mp_wechat': 'false',
  'pay.third_dialect': 'epay',
  'pay.third_channel': '',
  'pay.third_title': '',
  'pay.third_icon': '',
}
const alipayOn = {
  'pay.enable_alipay': 'true',
  'pay.alipay_app_id': '2021000000000000',
  'pay.alipay_private_key': 'key',
  'pay.alipay_public_key': 'key',
}
const thirdOn = {
  'pay.enable_third': 'true',
  'pay.third_merchant_id': '1001',
  'pay.third_key': 'key',
  'pay.third_gateway': 'https://pay.example.com',
}
beforeEach(async () => {
  await site.configure(off)
  buyer = await site.member()
})

async function offered(order_type: OrderType = OrderType.TopUp, product_id = 0) {
  const { order_no } = await buyer.call(orders.create, { order_type, product_id, quantity: 100 })
  return (await buyer.call(orders.methods, { order_no })).method
}
const titles = async () => (await offered()).map(({ title }) => title)
const problems = async () => {
  const { item, payment_problems } = await site.root.call(checklist.get)
  expect(item.some(({ key }) => key === 'payment')).toBe(payment_problems.length > 0)
  return payment_problems
}

describe('a way that cannot work', () => {
  test('without a domain is not offered, and the owner is told', async () => {
    await site.configure({ ...alipayOn, 'system.domain': '' })
    expect(await titles()).toEqual([])
    expect((await buyer.call(settings.get)).payment.enable_alipay).toBe(false)
    expect(await problems()).toEqual(['支付宝：还没有填写网站域名'])
    await site.configure({ 'system.domain': 'https://wenku.example.com' })
    expect(await titles()).toEqual(['支付宝'])
    expect((await buyer.call(settings.get)).payment.enable_alipay).toBe(true)
    expect(await problems()).toEqual([])
  })

  test('without its keys is not offered, and the owner is told of all that is missing', async () => {
    await site.configure({ ...alipayOn, 'pay.alipay_app_id': '', 'pay.alipay_private_key': '' })
    expect(await titles()).toEqual([])
    expect(await problems()).toEqual(['支付宝：还没有填写支付宝应用 ID、应用私钥'])
    await site.configure(alipayOn)
  })

  test('by transfer is not offered until an account is told, and nobody claims to have used it', async () => {
    await site.configure({ 'pay.enable_bank_card': 'true', 'pay.bank_card_text': ' ' })
    expect(await titles()).toEqual([])
    expect((await buyer.call(settings.get)).payment.enable_bankcard).toBe(false)
    expect(await problems()).toEqual(['银行卡：还没有填写银行卡转账说明'])
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    const way = { order_no, payment_type: PaymentMethod.BankCard }
    expect(await refusal(buyer.call(orders.pay, way))).toMatchObject({ message: '不能用这种方式支付，请换一种' })
    expect(await refusal(buyer.call(orders.claim, { ...way, content: '已转账' }))).toMatchObject({
      message: '不能用这种方式支付，请换一种',
    })
    await site.configure({ 'pay.bank_card_text': '户名 文豆，账号 6222' })
    expect(await titles()).toEqual(['银行卡'])
    expect((await buyer.call(settings.get)).payment.enable_bankcard).toBe(true)
    expect(await problems()).toEqual([])
  })

  test('in the mini program is not offered without its keys', async () => {
    const wechat = {
      'pay.wechat_app_id': 'wx0000000000000000',
      'pay.wechat_mch_id': '1900000000',
      'pay.wechat_serial': 'A'.repeat(40),
      'pay.wechat_api_key': 'k'.repeat(32),
      'pay.wechat_private_key': 'key',
      'pay.wechat_public_key_id': 'PUB_KEY_ID_1',
    }
    await site.configure({ ...wechat, 'pay.enable_mp_wechat': 'true' })
    const isOffered = async () => (await buyer.call(settings.get)).payment.enable_mp_wechatpay
    expect(await isOffered()).toBe(false)
    expect(await problems()).toEqual(['小程序内微信支付：还没有填写微信支付公钥、小程序 AppID、小程序 AppSecret'])
    await site.configure({
      'pay.wechat_public_key': 'key',
      'miniprogram.app_id': 'wx1111111111111111',
      'miniprogram.app_secret': 'secret',
    })
    expect(await isOffered()).toBe(true)
    expect(await problems()).toEqual([])
    await site.configure({ 'system.domain': '' })
    expect(await isOffered()).toBe(false)
  })

  test.each([
    [
      'wechat',
      {},
      [
        '微信 AppID',
        '微信商户号',
        '商户 API 证书序列号',
        'APIv3 密钥',
        '商户 API 私钥',
        '微信支付公钥 ID',
        '微信支付公钥',
      ],
    ],
    [
      'wechat',
      { wechat_mode: 'certificate' },
      ['微信 AppID', '微信商户号', '商户 API 证书序列号', 'APIv3 密钥', '商户 API 私钥'],
    ],
    [
      'alipay',
      { alipay_mode: 'certificate' },
      ['支付宝应用 ID', '应用私钥', '应用公钥证书', '支付宝公钥证书', '支付宝根证书'],
    ],
    ['third', { third_dialect: 'epay_v2' }, ['商户 ID', '商户私钥', '平台公钥', '第三方支付接口地址']],
    ['third', { third_dialect: 'xunhupay' }, ['商户 ID', '商户密钥']],
  ] as const)('the test of %s says all that is missing at once', async (provider, values, missing) => {
    const other = await openSite()
    const config = Object.entries(values).map(([name, value]) => ({ category: 'pay', name, value }))
    const { message } = await refusal(other.root.call(orders.testProvider, { provider, config }))
    expect(message).toContain(`还没有填写${missing.join('、')}、网站域名`)
    await other.close()
  })
})

test('there is one 支付宝, also with a gateway that offers it', async () => {
  await site.configure({ ...alipayOn, ...thirdOn, 'pay.third_channel': 'alipay' })
  expect(await titles()).toEqual(['支付宝'])
  expect((await offered())[0]).toMatchObject({ payment_type: PaymentMethod.Alipay })
  expect((await buyer.call(settings.get)).payment).toMatchObject({ enable_alipay: true, enable_thirdpay: false })
  await site.configure({ 'pay.enable_alipay': 'false' })
  expect(await offered()).toMatchObject([{ payment_type: PaymentMethod.ThirdParty, title: '支付宝' }])
  await site.configure({ 'pay.enable_alipay': 'true', 'pay.third_channel': 'wxpay' })
  expect(await titles()).toEqual(['支付宝', '微信支付'])
})

test('owners name what has no name of its own, and give it a picture, everywhere', async () => {
  await site.configure({
    ...thirdOn,
    'pay.third_title': '豆付',
    'pay.third_icon': '/uploads/third.png',
    'pay.enable_other': 'true',
    'pay.other_title': '校园卡',
    'pay.other_icon': '/uploads/card.png',
  })
  expect(await offered()).toMatchObject([
    { title: '豆付', icon: '/uploads/third.png' },
    { title: '校园卡', icon: '/uploads/card.png' },
  ])
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
  const [row] = (await site.root.call(orders.list, { wd: order_no })).order
  await site.root.call(orders.confirm, { id: row?.id ?? 0, payment_type: PaymentMethod.Other })
  const named = { payment_title: '校园卡', payment_icon: '/uploads/card.png' }
  expect(await buyer.call(orders.get, { order_no })).toMatchObject({ ...named, status: OrderStatus.Paid })
  expect((await buyer.call(orders.own, {})).order[0]).toMatchObject(named)
  expect((await site.root.call(orders.list, { wd: order_no })).order[0]).toMatchObject(named)
  expect((await site.root.call(orders.sums, {})).day).toMatchObject([{ payment_title: '校园卡' }])
  // The filter and the dialogs of the back office name them by these.
  expect((await buyer.call(settings.get)).payment).toMatchObject({ third_title: '豆付', other_title: '校园卡' })
})

test('credits come first when they suffice', async () => {
  await site.configure(alipayOn)
  const { id } = await storeDocument(site, { owner: await site.member(), price: 10 })
  const types = async () => (await offered(OrderType.Document, id)).map(({ payment_type }) => payment_type)
  await site.db.updateTable('user').set({ credit_count: 9 }).where('id', '=', buyer.id).execute()
  expect(await types()).toEqual([PaymentMethod.Alipay, PaymentMethod.Credits])
  await site.db.updateTable('user').set({ credit_count: 10 }).where('id', '=', buyer.id).execute()
  expect(await types()).toEqual([PaymentMethod.Credits, PaymentMethod.Alipay])
})
