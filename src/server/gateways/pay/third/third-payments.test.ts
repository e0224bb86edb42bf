import { afterEach, describe, expect, test } from 'vitest'
import { receiveNotices } from '#server/testing/pay/notice-receiver.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startAnsweringGateway } from '#server/testing/pay/third/answering-gateway.ts'
import { connectThirdParty, providerFor } from '#server/testing/pay/third/connect-third-party.ts'
import type { PaymentRequest, PayProvider } from '../pay-provider.ts'
import { EpayStatus } from './epay-order.ts'
import { md5Signature } from './signatures.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function connect(...[dialect, changes]: Parameters<typeof connectThirdParty>): Promise<{
  simulator: PaySimulator
  provider: PayProvider
}> {
  const connected = await connectThirdParty(dialect, changes)
  opened.push(() => connected.simulator.close())
  return connected
}

async function gatewayAnswering(...given: Parameters<typeof startAnsweringGateway>) {
  const gateway = await startAnsweringGateway(...given)
  opened.push(() => gateway.close())
  return gateway
}

let numbers = 0
const request = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
  attemptNo: `A${Date.now()}${++numbers}`,
  fen: 1999,
  title: '季卡',
  expiresAt: Date.now() + 60_000,
  notifyUrl: 'http://127.0.0.1:9/notify',
  returnUrl: 'https://wenku.example/order?no=1',
  client: 'desktop',
  ip: '203.0.113.7',
  ...changes,
})

describe('how to pay', () => {
  test('易支付 with a channel: the page that the gateway gives; without one: its cashier', async () => {
    const { provider, simulator } = await connect('epay')
    const payment = request()
    expect(await provider.create(payment)).toEqual({
      kind: 'redirect',
      url: `${simulator.url}/cashier/${payment.attemptNo}`,
    })
    const cashier = providerFor({ ...simulator.settings, third_channel: '' })
    const instruction = await cashier.create(request())
    expect(instruction).toMatchObject({
      kind: 'redirect',
      url: expect.stringContaining(`${simulator.url}/submit.php?pid=`),
    })
    expect(JSON.stringify(instruction)).not.toContain(simulator.settings.third_key)
  })

  test('易支付 V2: a QR code on desktops, a page on phones, its cashier without a channel', async () => {
    const { provider, simulator } = await connect('epay_v2')
    expect(await provider.create(request())).toMatchObject({
      kind: 'qrcode',
      content: expect.stringMatching(/^weixin:/),
    })
    expect(await provider.create(request({ client: 'phone' }))).toMatchObject({ kind: 'redirect' })
    const cashier = providerFor({ ...simulator.settings, third_channel: '' })
    expect(await cashier.create(request())).toMatchObject({
      kind: 'redirect',
      url: expect.stringMatching(/\/api\/pay\/submit\?pid=/),
    })
    expect(simulator.complaints).toEqual([])
  })

  test.each([
    [{ qrcode: 'https://qr.alipay.com/1' }, 'desktop', { kind: 'qrcode', content: 'https://qr.alipay.com/1' }],
    [{ qrcode: 'https://qr.alipay.com/1' }, 'phone', { kind: 'redirect', url: 'https://qr.alipay.com/1' }],
    [
      { payurl: '/pay/1' },
      'desktop',
      { kind: 'redirect', url: expect.stringMatching(/^http:\/\/127.0.0.1:\d+\/pay\/1$/) },
    ],
    [{ urlscheme: 'weixin://dl/business/?t=1' }, 'phone', { kind: 'redirect', url: 'weixin://dl/business/?t=1' }],
    [
      { urlscheme: 'weixin://dl/business/?t=1' },
      'desktop',
      { kind: 'redirect', url: expect.stringMatching(/\/submit\.php\?/) },
    ],
    [
      { urlscheme: 'javascript://x/%0aalert(1)' },
      'phone',
      { kind: 'redirect', url: expect.stringMatching(/\/submit\.php\?/) },
    ],
    [{ payurl: 'javascript:alert(1)' }, 'desktop', { kind: 'redirect', url: expect.stringMatching(/\/submit\.php\?/) }],
    [{}, 'desktop', { kind: 'redirect', url: expect.stringMatching(/\/submit\.php\?/) }],
  ] as const)('what 易支付 answers is shown as far as it can be: %j (%s)', async (answer, client, instruction) => {
    const gateway = await gatewayAnswering(() => ({ code: '1', msg: '', ...answer }))
    const settings = {
      third_gateway: `${gateway.url}/`,
      third_merchant_id: '1',
      third_key: 'k',
      third_channel: 'alipay',
    }
    expect(await providerFor(settings).create(request({ client }))).toMatchObject(instruction)
  })

  test('not from a mini program', async () => {
    for (const dialect of ['epay', 'epay_v2', 'xunhupay'] as const) {
      const { provider } = await connect(dialect)
      const creating = provider.create(request({ client: 'mini-program' }))
      await expect(creating).rejects.toMatchObject({ code: 'unsupported', message: expect.stringMatching(/小程序/) })
    }
  })

  test.each([
    ['https://evil.example/pay', undefined],
    ['http://api.xunhupay.com/pay', undefined],
    ['https://api.xunhupay.com.evil.example/pay', undefined],
    ['https://notxunhupay.com/pay', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined],
    ['https://api.xunhupay.com/pay', 'redirect'],
    ['https://api.dpweixin.com/pay', 'redirect'],
  ])('虎皮椒 may send the buyer to %j: %s', async (url, kind) => {
    const answer = { errcode: 0, errmsg: 'success!', url, url_qrcode: '' }
    const hash = md5Signature({ ...answer, errcode: '0' }, 'secret')
    const gateway = await gatewayAnswering(() => ({ ...answer, hash }))
    const settings = {
      third_dialect: 'xunhupay',
      third_gateway: gateway.url,
      third_merchant_id: '1',
      third_key: 'secret',
    }
    const creating = providerFor(settings).create(request())
    if (kind) expect(await creating).toEqual({ kind, url })
    else await expect(creating).rejects.toMatchObject({ code: 'bad-answer' })
  })

  test('an answer of 虎皮椒 without its hash is refused', async () => {
    const { provider, simulator } = await connect('xunhupay')
    simulator.misbehave('wrong-signature')
    await expect(provider.create(request())).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringMatching(/签名/),
    })
  })

  test.each(['epay', 'epay_v2', 'xunhupay'] as const)(
    'a browser pays on the page of the gateway: %s',
    async (dialect) => {
      const { provider, simulator } = await connect(dialect)
      const receiver = await receiveNotices(provider)
      opened.push(() => receiver.close())
      const returnUrl = 'https://wenku.example/order?order_no=1'
      const payment = request({ client: 'phone', notifyUrl: receiver.url, returnUrl })
      const instruction = await provider.create(payment)
      if (instruction.kind !== 'redirect') throw new Error(instruction.kind)
      const page = await (await fetch(instruction.url)).text()
      expect(page).toContain('季卡')
      expect(page).toContain('19.99')
      const body = new URLSearchParams({ action: 'pay' })
      const left = await fetch(instruction.url, { method: 'POST', body, redirect: 'manual' })
      expect(left.headers.get('location')).toMatch(/^https:\/\/wenku\.example\/order\?order_no=1(&pid=|$)/)
      await expect.poll(() => receiver.outcomes).toMatchObject([{ kind: 'payment', payment: { state: 'paid' } }])
      expect(simulator.complaints).toEqual([])
    },
  )
})

describe('what becomes of a payment', () => {
  test('易支付 V2 closes at the gateway: nobody can pay any more', async () => {
    const { provider, simulator } = await connect('epay_v2')
    const { attemptNo } = request()
    await provider.create(request({ attemptNo }))
    expect(await provider.close(attemptNo)).toBe('closed')
    expect(simulator.calls).toContainEqual({ call: 'close', attemptNo })
    expect(() => simulator.pay(attemptNo)).toThrow('订单已关闭')
  })

  test('易支付 V2 is asked about a refund that takes its time', async () => {
    const { provider, simulator } = await connect('epay_v2')
    const { attemptNo, fen, notifyUrl } = request()
    await provider.create(request({ attemptNo }))
    simulator.pay(attemptNo)
    simulator.answerRefunds('processing')
    const refund = { refundNo: 'R1', attemptNo, transactionId: '', fen, totalFen: fen, reason: '', notifyUrl }
    expect(await provider.refund(refund)).toMatchObject({ state: 'processing' })
    expect(await provider.queryRefund(refund)).toMatchObject({ state: 'processing' })
    simulator.answerRefunds('done')
    expect(await provider.queryRefund(refund)).toMatchObject({ state: 'done' })
  })

  test('易支付 MD5 refunds no part: asked for twice it could be paid twice', async () => {
    const { provider, simulator } = await connect('epay')
    const { attemptNo, fen, notifyUrl } = request()
    await provider.create(request({ attemptNo }))
    simulator.pay(attemptNo)
    const part = { refundNo: 'R1', attemptNo, transactionId: '', fen: 1, totalFen: fen, reason: '', notifyUrl }
    expect(await provider.refund(part)).toEqual({ state: 'refused', message: expect.stringContaining('后台') })
    expect(simulator.calls.map(({ call }) => call)).not.toContain('refund')
  })

  test('易支付 MD5 does not take a part that was refunded for the whole', async () => {
    const order = {
      code: 1,
      msg: '',
      status: Number(EpayStatus.Paid),
      out_trade_no: 'A1',
      trade_no: '7',
      money: '19.99',
      refundmoney: '1.00',
    }
    const gateway = await gatewayAnswering((path) => (path.includes('refund') ? { code: -1, msg: '金额过大' } : order))
    const provider = providerFor({ third_gateway: gateway.url, third_merchant_id: '1', third_key: 'k' })
    const refund = { ...request(), refundNo: 'R1', attemptNo: 'A1', transactionId: '', totalFen: 1999, reason: '' }
    expect(await provider.query('A1')).toMatchObject({ state: 'refunded' })
    expect(await provider.refund(refund)).toEqual({ state: 'refused', message: '支付网关：金额过大' })
    expect(await provider.queryRefund(refund)).toMatchObject({ state: 'unknown' })
  })

  test.each([
    ['WP', {}, 'unpaid'],
    ['OD', { transaction_id: '42' }, 'paid'],
    ['OD', {}, 'paid'],
    ['CD', { transaction_id: '42' }, 'refunded'],
    ['RD', { transaction_id: '42' }, 'refunded'],
    ['UD', { transaction_id: '42' }, 'paid'],
    ['CD', {}, 'closed'],
    ['??', { transaction_id: '42' }, 'unpaid'],
  ])('the status %s of 虎皮椒 with %j is %s', async (status, more, state) => {
    const data = { status, open_order_id: '7', total_amount: '19.99', ...more }
    const gateway = await gatewayAnswering(() => ({ errcode: 0, errmsg: '', data }))
    const settings = { third_dialect: 'xunhupay', third_gateway: gateway.url, third_merchant_id: '1', third_key: 's' }
    const isPaid = state === 'paid' || state === 'refunded'
    expect(await providerFor(settings).query('A1')).toMatchObject({
      state,
      fen: 1999,
      transactionId: isPaid ? '7' : '',
    })
  })

  test.each([
    [{ status: Number(EpayStatus.Paid), trade_no: '7', money: '19.99' }, 'paid'],
    [{ status: EpayStatus.Paid, trade_no: 7, money: 19.99 }, 'paid'],
    [{ status: Number(EpayStatus.Paid), trade_no: '7', money: '19.99', refundmoney: '1.00' }, 'refunded'],
    [{ status: Number(EpayStatus.Refunded), trade_no: '7', money: '19.99' }, 'refunded'],
    [{ status: Number(EpayStatus.Unpaid), trade_no: '7', money: '19.99' }, 'unpaid'],
    [{ status: Number(EpayStatus.Frozen), trade_no: '7', money: '19.99' }, 'unpaid'],
    [{ status: Number(EpayStatus.Paid), trade_no: '', money: '19.99' }, undefined],
    [{ status: Number(EpayStatus.Paid), trade_no: '7', money: '1e2' }, undefined],
    [{ status: Number(EpayStatus.Paid), trade_no: '7', money: '19.999' }, undefined],
    [{ status: Number(EpayStatus.Paid), trade_no: '7', money: '-19.99' }, undefined],
    [{ status: Number(EpayStatus.Paid), trade_no: '7' }, undefined],
    [{ status: Number(EpayStatus.Paid), trade_no: '7', money: '19.99', out_trade_no: 'A2' }, undefined],
    [{ status: Number(EpayStatus.Paid), trade_no: '7', money: '19.99', out_trade_no: '' }, undefined],
  ])('the order %j of 易支付 is %s', async (order, state) => {
    const gateway = await gatewayAnswering(() => ({ code: 1, msg: '', out_trade_no: 'A1', ...order }))
    const settings = { third_gateway: gateway.url, third_merchant_id: '1', third_key: 'k' }
    const query = providerFor(settings).query('A1')
    if (state) expect(await query).toMatchObject({ state, fen: 1999 })
    else await expect(query).rejects.toMatchObject({ code: 'bad-answer' })
  })
})
