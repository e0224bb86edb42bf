import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NoticeReceiver, receiveNotices } from '#server/testing/pay/notice-receiver.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { connectThirdParty } from '#server/testing/pay/third/connect-third-party.ts'
import { InvalidNotice, type PaymentRequest, type PayProvider, PayProviderError } from '../pay-provider.ts'
import { md5Signature } from './signatures.ts'

/** A key that got out must not be enough to be given anything: every notice is confirmed by a query. */

let numbers = 0
const request = (notifyUrl: string): PaymentRequest => ({
  attemptNo: `A${Date.now()}${++numbers}`,
  fen: 1999,
  title: '季卡',
  expiresAt: Date.now() + 60_000,
  notifyUrl,
  returnUrl: 'https://wenku.example/order',
  client: 'desktop',
  ip: '203.0.113.7',
})

describe.each(['epay', 'epay_v2', 'xunhupay'] as const)('%s', (dialect) => {
  let simulator: PaySimulator
  let provider: PayProvider
  let receiver: NoticeReceiver
  beforeAll(async () => {
    ;({ simulator, provider } = await connectThirdParty(dialect))
    receiver = await receiveNotices(provider)
  })
  afterAll(async () => {
    await receiver.close()
    await simulator.close()
  })

  test('a notice with the right signature is refused while the gateway does not call it paid', async () => {
    const payment = request(receiver.url)
    await provider.create(payment)
    expect(await simulator.notify(payment.attemptNo)).toEqual({ status: 400, body: 'fail' })
    expect(receiver.outcomes.at(-1)).toEqual({ thrown: expect.any(InvalidNotice) })
  })

  test('a notice that cannot be confirmed now is left for the next time', async () => {
    const payment = request(receiver.url)
    await provider.create(payment)
    simulator.pay(payment.attemptNo)
    simulator.misbehave('server-error')
    expect(await simulator.notify(payment.attemptNo)).toEqual({ status: 400, body: 'fail' })
    const outcome = receiver.outcomes.at(-1)
    expect(outcome).toMatchObject({ thrown: expect.any(PayProviderError) })
    expect(outcome).toMatchObject({ thrown: { isTemporary: true } })
    expect(await simulator.notify(payment.attemptNo)).toEqual({ status: 200, body: 'success' })
    expect(receiver.outcomes.at(-1)).toMatchObject({ kind: 'payment', payment: { state: 'paid', fen: 1999 } })
  })
})

describe('易支付 MD5', () => {
  let simulator: PaySimulator
  let provider: PayProvider
  let attemptNo: string
  beforeAll(async () => {
    ;({ simulator, provider } = await connectThirdParty('epay'))
    const payment = request('http://127.0.0.1:9/notify')
    await provider.create(payment)
    simulator.pay(payment.attemptNo)
    ;({ attemptNo } = payment)
  })
  afterAll(() => simulator.close())

  const read = (changes: Record<string, string> = {}) => {
    const { third_key: key = '', third_merchant_id: pid = '' } = simulator.settings
    const trade = { out_trade_no: attemptNo, trade_no: '1', money: '19.99', trade_status: 'TRADE_SUCCESS' }
    const fields = { pid, type: '', name: '100% & +', ...trade, ...changes }
    const form = { sign_type: 'MD5', sign: md5Signature(fields, key), ...fields }
    const query = String(new URLSearchParams(form))
    return provider.readNotice({ method: 'GET', query, headers: new Headers(), body: new Uint8Array() })
  }

  test('takes the fields in any order, empty ones too', async () => {
    expect(await read()).toMatchObject({ kind: 'payment', payment: { state: 'paid', attemptNo, fen: 1999 } })
    expect(await read({ param: '', money: '19.99' })).toMatchObject({ kind: 'payment' })
  })

  test.each(['19.98', '20.00', '1e2', '0x10', ' 19.99', '19.99 ', '-19.99', '+19.99', '19.990', '１９.99', '', 'NaN'])(
    'refuses the amount %j, signed as it is',
    async (money) => {
      await expect(read({ money })).rejects.toBeInstanceOf(InvalidNotice)
    },
  )

  test.each<Record<string, string>>([
    { pid: '1002' },
    { pid: '' },
    { out_trade_no: 'A00000000' },
    { out_trade_no: '' },
    { sign_type: 'RSA' },
  ])('refuses %j', async (changes) => {
    await expect(read(changes)).rejects.toBeInstanceOf(InvalidNotice)
  })

  test('has nothing to do with another state', async () => {
    expect(await read({ trade_status: 'TRADE_CLOSED' })).toEqual({ kind: 'other' })
  })
})
