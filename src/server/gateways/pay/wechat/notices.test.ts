import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectWeChat, type ConnectedWeChat } from '#server/testing/pay/wechat/connect.ts'
import { InvalidNotice, type RawNotice } from '../pay-provider.ts'

let wechat: ConnectedWeChat
let attemptNo: string
let notice: RawNotice

beforeAll(async () => {
  wechat = await connectWeChat('both')
  wechat.simulator.signNoticesWith('certificate')
  attemptNo = await wechat.paid()
  await wechat.simulator.notify(attemptNo)
  notice = wechat.notices[0] ?? notice
})
afterAll(() => wechat.close())

function withHeader(name: string, value: string | undefined): RawNotice {
  const headers = new Headers(notice.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
  return { ...notice, headers }
}

test('the notice that is changed below is right', async () => {
  await expect(wechat.provider.readNotice(notice)).resolves.toMatchObject({ kind: 'payment', payment: { attemptNo } })
})

test.each(['timestamp', 'nonce', 'signature', 'serial'])('needs the header %s', async (name) => {
  for (const value of [undefined, '', 'x']) {
    const changed = withHeader(`wechatpay-${name}`, value)
    await expect(wechat.provider.readNotice(changed), String(value)).rejects.toBeInstanceOf(InvalidNotice)
  }
})

test('takes one kind of signature alone', async () => {
  const { provider } = wechat
  for (const type of ['WECHATPAY2-SM2-WITH-SM3', 'wechatpay2-sha256-rsa2048', '']) {
    const changed = withHeader('wechatpay-signature-type', type)
    await expect(provider.readNotice(changed), type).rejects.toBeInstanceOf(InvalidNotice)
  }
  await expect(provider.readNotice(withHeader('wechatpay-signature-type', undefined))).resolves.toBeDefined()
})

test('a header that came twice is not one that was signed', async () => {
  const headers = new Headers(notice.headers)
  headers.append('wechatpay-timestamp', headers.get('wechatpay-timestamp') ?? '')
  await expect(wechat.provider.readNotice({ ...notice, headers })).rejects.toBeInstanceOf(InvalidNotice)
})

test('the serial may be written in lower case, and with or without zeros in front', async () => {
  const serial = notice.headers.get('wechatpay-serial') ?? ''
  expect(serial).toMatch(/^0/)
  for (const written of [serial.toLowerCase(), serial.replace(/^0+/, ''), `00${serial}`]) {
    await expect(wechat.provider.readNotice(withHeader('wechatpay-serial', written))).resolves.toBeDefined()
  }
})

test('is refused from 300 seconds on, in either direction', async () => {
  const { simulator, notices, another } = wechat
  simulator.signNoticesWith('public_key')
  await simulator.notify(attemptNo)
  const sent = notices.at(-1) ?? notice
  const sentAt = Number(sent.headers.get('wechatpay-timestamp')) * 1000
  for (const ms of [0, 299_999, -299_999]) {
    await expect(another({}, { now: () => sentAt + ms }).readNotice(sent)).resolves.toBeDefined()
  }
  for (const ms of [300_000, -300_000, 86_400_000]) {
    await expect(another({}, { now: () => sentAt + ms }).readNotice(sent)).rejects.toBeInstanceOf(InvalidNotice)
  }
})

test('one changed byte anywhere makes it wrong', async () => {
  const { body } = notice
  for (let position = 0; position < body.length; position += 7) {
    const changed = Uint8Array.from(body)
    changed[position] = (changed[position] ?? 0) ^ 1
    await expect(wechat.provider.readNotice({ ...notice, body: changed })).rejects.toBeInstanceOf(InvalidNotice)
  }
})

test('the same content in another form is another notice', async () => {
  const content = JSON.parse(Buffer.from(notice.body).toString()) as Record<string, unknown>
  const reversed = Object.fromEntries(Object.entries(content).toReversed())
  for (const text of [JSON.stringify(reversed), JSON.stringify(content, null, 1), `${JSON.stringify(content)}\n`]) {
    const changed = { ...notice, body: Buffer.from(text) }
    await expect(wechat.provider.readNotice(changed)).rejects.toBeInstanceOf(InvalidNotice)
  }
})

test('a wrong APIv3 key is told as such', async () => {
  const provider = wechat.another({ wechat_api_key: 'x'.repeat(32), wechat_mode: 'public_key' })
  wechat.simulator.signNoticesWith('public_key')
  await wechat.simulator.notify(attemptNo)
  const sent = wechat.notices.at(-1) ?? notice
  await expect(provider.readNotice(sent)).rejects.toThrow('APIv3 密钥不对')
  await expect(provider.readNotice(sent)).rejects.toBeInstanceOf(InvalidNotice)
})

test('a notice about something else is genuine, and nothing to follow', async () => {
  await wechat.simulator.notifyOther('COUPON.USE', wechat.receiver.url)
  expect(wechat.receiver.outcomes.at(-1)).toEqual({ kind: 'other' })
})

test('a refund of another merchant is not ours', async () => {
  const { provider, simulator, receiver, request } = wechat
  const payment = request()
  await provider.create(payment)
  simulator.pay(payment.attemptNo, { merchant: '1900000999' })
  const refundNo = `R${payment.attemptNo}`
  const { transactionId } = await provider.query(payment.attemptNo)
  const refund = { refundNo, attemptNo: payment.attemptNo, transactionId, fen: 1, totalFen: 100, reason: '' }
  await provider.refund({ ...refund, notifyUrl: receiver.url })
  await simulator.notifyRefund(refundNo)
  expect(receiver.outcomes.at(-1)).toEqual({ thrown: expect.any(InvalidNotice) })
})
