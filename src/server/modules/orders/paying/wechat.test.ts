import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import {
  miniProgramAppId,
  miniProgramSecret,
  startWeChatSimulator,
  type WeChatSimulator,
} from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'

/** Payments inside WeChat: WeChat has to tell first who pays. */

let site: PaySite
let simulator: WeChatSimulator
let buyer: Person
let orderNo: string
beforeAll(async () => {
  const clock = sharedClock()
  simulator = await startWeChatSimulator(clock)
  site = await openPaySite(clock, simulator)
})
afterAll(async () => {
  await site.close()
  await simulator.close()
})
beforeEach(async () => {
  await site.configure({
    'pay.enable_wechat': 'true',
    'pay.enable_mp_wechat': 'true',
    'pay.wechat_app_secret': simulator.settings['wechat_app_secret'] ?? '',
    'miniprogram.app_id': miniProgramAppId,
    'miniprogram.app_secret': miniProgramSecret,
    'miniprogram.gateway': simulator.url,
  })
  buyer = await site.member()
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
  orderNo = order_no
})

describe('in the browser inside WeChat', () => {
  const userAgent = 'Mozilla/5.0 (iPhone) Mobile/15E148 MicroMessenger/8.0.50'
  const pay = (wechat_code = '') =>
    site.caller({ token: buyer.token, userAgent })(orders.pay, {
      order_no: orderNo,
      payment_type: PaymentMethod.WeChatPay,
      wechat_code,
    })

  /** As WeChat's browser follows it. */
  async function authorize(): Promise<URLSearchParams> {
    const { extra } = await pay()
    expect(extra).toMatchObject({ kind: 'redirect' })
    const response = await fetch(extra?.content ?? '', { redirect: 'manual' })
    const back = new URL(response.headers.get('location') ?? '')
    expect(back.pathname).toBe('/order')
    return back.searchParams
  }

  test('the buyer is sent to WeChat, and pays with the code', async () => {
    const query = await authorize()
    expect(query.get('order_no')).toBe(orderNo)
    expect(query.get('state')).toBe(orderNo)
    const { extra } = await pay(query.get('code') ?? '')
    expect(extra).toMatchObject({ kind: 'jsapi', parameters: { appId: expect.any(String), signType: 'RSA' } })
    await settle()
    expect(await site.balanceOf(buyer)).toBe(100)
  })

  test('a code is good once: then the buyer pays again', async () => {
    const code = (await authorize()).get('code') ?? ''
    await pay(code)
    expect(await refusal(pay(code))).toMatchObject({ status: 409, message: '微信的授权已经失效，请重新支付' })
    const another = (await authorize()).get('code') ?? ''
    expect((await pay(another)).extra).toMatchObject({ kind: 'jsapi' })
  })

  test('a wrong AppSecret is the business of the owner', async () => {
    const code = (await authorize()).get('code') ?? ''
    await site.configure({ 'pay.wechat_app_secret': 'wrong' })
    expect(await refusal(pay(code))).toMatchObject({ status: 503 })
  })

  test('without an AppSecret there is a code to scan', async () => {
    await site.configure({ 'pay.wechat_app_secret': '' })
    expect((await pay()).extra).toMatchObject({ kind: 'qrcode' })
  })
})

describe('in the mini program', () => {
  const pay = (minicode: string) =>
    buyer.call(orders.pay, { order_no: orderNo, payment_type: PaymentMethod.WeChatPay, minicode })

  test('its code is exchanged for who pays, and what its payment call needs comes back', async () => {
    const { extra } = await pay(simulator.miniProgramCode())
    expect(extra).toMatchObject({
      timeStamp: expect.stringMatching(/^\d+$/),
      nonceStr: expect.any(String),
      package: expect.stringMatching(/^prepay_id=/),
      signType: 'RSA',
      paySign: expect.any(String),
    })
    expect(extra).not.toHaveProperty('appId')
    await settle()
    expect(await buyer.call(orders.status, { order_no: orderNo })).toMatchObject({ status: OrderStatus.Paid })
  })

  test('is paid in where the site itself has no WeChat Pay', async () => {
    await site.configure({ 'pay.enable_wechat': 'false' })
    expect((await pay(simulator.miniProgramCode())).extra).toMatchObject({ kind: 'jsapi' })
  })

  test.each([
    ['it is switched off', { 'pay.enable_mp_wechat': 'false' }],
    ['its secret is missing', { 'miniprogram.app_secret': '' }],
  ])('is not paid in while %s', async (_why, settings) => {
    await site.configure(settings)
    expect(await refusal(pay(simulator.miniProgramCode()))).toMatchObject({
      message: '不能用这种方式支付，请换一种',
    })
  })

  test('a code of somebody else’s making is refused', async () => {
    expect(await refusal(pay('made-up'))).toMatchObject({ message: '微信的授权已经失效，请重新支付' })
  })
})

async function settle(): Promise<void> {
  const { attempt_no } = await site.db
    .selectFrom('payment')
    .select('attempt_no')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  simulator.pay(attempt_no)
  expect(await simulator.notify(attempt_no)).toMatchObject({ status: 200 })
  expect(simulator.complaints).toEqual([])
}
