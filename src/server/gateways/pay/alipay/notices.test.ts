import { beforeAll, expect, test, afterAll } from 'vitest'
import type { AlipaySimulator } from '#server/testing/pay/alipay-simulator.ts'
import { alipayKey, appId, sellerId, unrelatedKey } from '#server/testing/pay/alipay/identities.ts'
import { composeForm } from '#server/testing/pay/alipay/notice.ts'
import { connectAlipay, paymentRequest } from '#server/testing/pay/alipay/open.ts'
import { InvalidNotice, type PayProvider } from '../pay-provider.ts'

let provider: PayProvider
let simulator: AlipaySimulator
let fields: Record<string, string>

beforeAll(async () => {
  ;({ provider, simulator } = await connectAlipay({ isFaceToFace: true }))
  const request = paymentRequest({ title: '会员卡 100% + “季度”' })
  await provider.create(request)
  simulator.pay(request.attemptNo)
  fields = simulator.noticeFields(request.attemptNo)
})
afterAll(() => simulator.close())

const read = (body: string, { by = provider, method = 'POST' } = {}) =>
  by.readNotice({ method, query: '', headers: new Headers(), body: Buffer.from(body) })
const readFields = (changes: Record<string, string>, key = alipayKey) =>
  read(composeForm({ ...fields, ...changes }, { key }).toString())

test.each([true, false])('takes empty values that are signed or not: %s', async (signsEmpty) => {
  const form = composeForm({ ...fields, body: '', passback_params: '' }, { signsEmpty })
  expect(form.toString()).toContain('passback_params=&')
  await expect(read(form.toString())).resolves.toMatchObject({ kind: 'payment', payment: { state: 'paid', fen: 1999 } })
})

test.each(['%', '%25', '%2B', '100%+50%', 'a+b c', '&x=1', '=', '😀', '\\/', '"'])(
  'decodes fields once: %s',
  async (text) => {
    await expect(readFields({ body: text })).resolves.toMatchObject({ kind: 'payment' })
  },
)

test('takes the keys in any order', async () => {
  const form = [...composeForm(fields)]
  for (const order of [
    form.toReversed(),
    form.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [...form.slice(7), ...form.slice(0, 7)],
  ]) {
    await expect(read(new URLSearchParams(order).toString())).resolves.toMatchObject({ kind: 'payment' })
  }
})

test('refuses a key that is there twice, with the same value or another', async () => {
  const body = composeForm(fields).toString()
  for (const more of [
    '&total_amount=0.01',
    `&total_amount=${fields.total_amount}`,
    '&sign=x',
    '&%74otal_amount=0.01',
  ]) {
    await expect(read(body + more)).rejects.toBeInstanceOf(InvalidNotice)
  }
})

test('refuses a changed byte in any field or key', async () => {
  const form = [...composeForm(fields)]
  for (const [at, [key, value]] of form.entries()) {
    // Nothing but the name of a field that says nothing.
    if (value === '') continue
    for (const changed of [
      [key, change(value)],
      [change(key), value],
    ]) {
      const body = new URLSearchParams(form.with(at, [changed[0] ?? '', changed[1] ?? ''])).toString()
      await expect(read(body), body).rejects.toBeInstanceOf(InvalidNotice)
    }
  }
})

function change(text: string): string {
  const at = Math.floor(text.length / 2)
  return `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
}

test('refuses a field that is left out or added', async () => {
  const form = composeForm(fields)
  form.delete('out_trade_no')
  await expect(read(form.toString())).rejects.toBeInstanceOf(InvalidNotice)
  await expect(read(`${composeForm(fields).toString()}&refund_fee=19.99`)).rejects.toBeInstanceOf(InvalidNotice)
})

test('refuses the wrong key, other ways to sign, and other ways to send', async () => {
  await expect(readFields({}, unrelatedKey)).rejects.toBeInstanceOf(InvalidNotice)
  for (const type of ['RSA', 'MD5', '', 'rsa2']) {
    const form = composeForm(fields)
    form.set('sign_type', type)
    await expect(read(form.toString())).rejects.toBeInstanceOf(InvalidNotice)
  }
  await expect(read(composeForm(fields).toString(), { method: 'GET' })).rejects.toBeInstanceOf(InvalidNotice)
})

test.each(['1e2', '0x10', ' 1.00', '1.00 ', '-1.00', '+1.00', '1.005', '１.00', '1,000.00', '', 'NaN'])(
  'refuses the amount %j, even signed',
  async (amount) => {
    await expect(readFields({ total_amount: amount })).rejects.toBeInstanceOf(InvalidNotice)
  },
)

test('tells another application or another seller', async () => {
  expect(provider.merchant).toBe(`${appId}/${sellerId}`)
  await expect(readFields({ app_id: '2021000000000009' })).resolves.toMatchObject({
    payment: { merchant: `2021000000000009/${sellerId}` },
  })
  await expect(readFields({ seller_id: '2088000000000009' })).resolves.toMatchObject({
    payment: { merchant: `${appId}/2088000000000009` },
  })
  await expect(readFields({ seller_id: '' })).resolves.toMatchObject({ payment: { merchant: `${appId}/` } })
})

test('does not compare the seller if the owner has not entered it', async () => {
  const opened = await connectAlipay({ settings: { alipay_seller_id: '' } })
  await opened.simulator.close()
  expect(opened.provider.merchant).toBe(appId)
  await expect(read(composeForm(fields).toString(), { by: opened.provider })).resolves.toMatchObject({
    payment: { merchant: appId },
  })
})

test.each([
  ['WAIT_BUYER_PAY', 'unpaid'],
  ['TRADE_SUCCESS', 'paid'],
  ['TRADE_FINISHED', 'paid'],
  ['TRADE_CLOSED', 'refunded'],
])('tells %s as %s', async (status, state) => {
  await expect(readFields({ trade_status: status })).resolves.toMatchObject({ kind: 'payment', payment: { state } })
})

test('tells a trade that was closed without being paid', async () => {
  const closed = { trade_status: 'TRADE_CLOSED', gmt_payment: '', gmt_close: '2026-11-17 10:00:00' }
  await expect(readFields(closed)).resolves.toMatchObject({
    payment: { state: 'closed', transactionId: '', paidAt: null },
  })
})

test("reads times as Beijing's", async () => {
  await expect(readFields({ gmt_payment: '2026-02-28 23:59:59' })).resolves.toMatchObject({
    payment: { paidAt: Date.UTC(2026, 1, 28, 15, 59, 59) },
  })
})

test('takes a partial refund for a refund, although the trade is still paid', async () => {
  const told = {
    trade_status: 'TRADE_SUCCESS',
    refund_fee: '5.00',
    out_biz_no: 'R1',
    gmt_refund: '2026-11-17 10:00:00.357',
  }
  await expect(readFields(told)).resolves.toEqual({
    kind: 'refund',
    refundNo: 'R1',
    attemptNo: fields.out_trade_no,
    refund: { state: 'done', message: '' },
  })
  await expect(readFields({ refund_fee: '' })).resolves.toMatchObject({ kind: 'payment' })
})

test('has nothing to do with notices about other things', async () => {
  await expect(readFields({ notify_type: 'open_app_auth_notify' })).resolves.toEqual({ kind: 'other' })
})

test('answers the one word that Alipay waits for', () => {
  expect(provider.answerNotice(true)).toEqual({ status: 200, type: 'text/plain', body: 'success' })
  expect(provider.answerNotice(false).body).toBe('fail')
})
