import { afterEach, expect, test } from 'vitest'
import { connectWeChat, type ConnectedWeChat } from '#server/testing/pay/wechat/connect.ts'
import { InvalidNotice, PayProviderError } from '../pay-provider.ts'

let wechat: ConnectedWeChat
afterEach(async () => {
  expect(wechat.simulator.complaints).toEqual([])
  await wechat.close()
})

const minutes = 60_000
const hours = 3_600_000

async function outcomeOf(sending: Promise<unknown>): Promise<unknown> {
  await sending
  return wechat.receiver.outcomes.at(-1)
}

const payment = { kind: 'payment', payment: expect.objectContaining({ state: 'paid' }) }
const refused = { thrown: expect.any(InvalidNotice) }

test('the first answer brings the certificate that it is verified with', async () => {
  wechat = await connectWeChat('certificate')
  const { provider, downloads, request } = wechat
  expect(provider.heldKeys()).toEqual([])
  await provider.create(request())
  expect(provider.heldKeys()).toEqual([
    { serial: expect.stringMatching(/^[1-9A-F][0-9A-F]{30,}$/), kind: 'certificate', expiresAt: expect.any(Number) },
  ])
  await provider.create(request())
  expect(downloads()).toBe(1)
})

test('many answers at once wait for the same certificates', async () => {
  wechat = await connectWeChat('certificate')
  const { provider, downloads, request } = wechat
  await Promise.all(Array.from({ length: 20 }, () => provider.create(request())))
  expect(downloads()).toBe(1)
})

test('a notice can be the first to need certificates', async () => {
  wechat = await connectWeChat('certificate')
  const { simulator, another, paid, notices } = wechat
  await simulator.notify(await paid())
  const [notice] = notices
  if (!notice) throw new Error('no notice')
  await expect(another({}).readNotice(notice)).resolves.toEqual(payment)
})

test('certificates that the answer is not signed with are not believed', async () => {
  wechat = await connectWeChat('certificate')
  const { provider, simulator } = wechat
  simulator.misbehave('wrong-signature')
  await expect(provider.refreshKeys()).rejects.toBeInstanceOf(PayProviderError)
  expect(provider.heldKeys()).toEqual([])
})

test('an unknown serial asks for certificates once in some minutes, never for each notice', async () => {
  wechat = await connectWeChat('certificate')
  const { simulator, paid, downloads, advanceClock } = wechat
  const attemptNo = await paid()
  expect(downloads()).toBe(1)
  for (let times = 0; times < 30; times++) {
    expect(await outcomeOf(simulator.notify(attemptNo, 'unknown-serial'))).toEqual(refused)
  }
  expect(downloads()).toBe(1)
  advanceClock(5 * minutes)
  await Promise.all(Array.from({ length: 30 }, () => simulator.notify(attemptNo, 'unknown-serial')))
  expect(downloads()).toBe(2)
})

test('a new certificate is found by its serial, and the old one stays good', async () => {
  wechat = await connectWeChat('certificate')
  const { simulator, provider, paid, notices, advanceClock } = wechat
  const attemptNo = await paid()
  await simulator.notify(attemptNo)
  const [old] = notices
  simulator.rotateCertificate()
  simulator.withdrawOldCertificates()
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(refused)
  advanceClock(4 * minutes)
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(refused)
  advanceClock(minutes)
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(payment)
  expect(provider.heldKeys()).toHaveLength(2)
  advanceClock(-5 * minutes)
  if (!old) throw new Error('no notice')
  await expect(provider.readNotice(old)).resolves.toEqual(payment)
})

test('a certificate is good until it expires', async () => {
  wechat = await connectWeChat('certificate')
  const { simulator, provider, paid, advanceClock } = wechat
  simulator.rotateCertificate(24 * hours)
  const attemptNo = await paid()
  advanceClock(24 * hours - minutes)
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(payment)
  advanceClock(minutes)
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(refused)
  advanceClock(12 * hours)
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(refused)
  expect(provider.heldKeys()).toHaveLength(1)
})

test('certificates are asked for twice a day, and a failure leaves those that are held', async () => {
  wechat = await connectWeChat('certificate')
  const { simulator, paid, downloads, advanceClock } = wechat
  const attemptNo = await paid()
  advanceClock(11 * hours)
  await simulator.notify(attemptNo)
  expect(downloads()).toBe(1)
  advanceClock(hours)
  simulator.refuse('certificates', { status: 500, code: 'SYSTEM_ERROR', message: '' })
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(payment)
  expect(downloads()).toBe(2)
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(payment)
  expect(downloads()).toBe(2)
  simulator.refuse('certificates', undefined)
  advanceClock(minutes)
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(payment)
  expect(downloads()).toBe(3)
})

test('a notice that cannot be verified for want of certificates is worth repeating', async () => {
  wechat = await connectWeChat('certificate')
  const { simulator, paid, notices, another } = wechat
  await simulator.notify(await paid())
  const [notice] = notices
  if (!notice) throw new Error('no notice')
  simulator.refuse('certificates', { status: 500, code: 'SYSTEM_ERROR', message: '' })
  await expect(another({}).readNotice(notice)).rejects.toMatchObject({ name: 'PayProviderError', isTemporary: true })
})

test('an answer that cannot be verified for want of certificates tells nothing, whatever they are refused with', async () => {
  wechat = await connectWeChat('certificate')
  const { simulator, paid, another, provider, advanceClock } = wechat
  const attemptNo = await paid()
  const { transactionId } = await provider.query(attemptNo)
  const refund = { refundNo: `R${attemptNo}`, attemptNo, transactionId, fen: 100, totalFen: 100, reason: '' }
  const request = { ...refund, notifyUrl: 'https://wenku.example/notify' }
  const nothing = { name: 'PayProviderError', code: 'bad-answer', isTemporary: true }
  for (const code of ['RESOURCE_NOT_EXISTS', 'ORDER_NOT_EXIST', 'ORDERPAID', 'NO_AUTH']) {
    simulator.refuse('certificates', { status: 404, code, message: '' })
    await expect(another({}).query(attemptNo)).rejects.toMatchObject(nothing)
    await expect(another({}).refund(request)).rejects.toMatchObject(nothing)
    await expect(another({}).queryRefund(request)).rejects.toMatchObject(nothing)
    await expect(another({}).close(wechat.request().attemptNo)).resolves.toBe('closed')
  }
  const late = another({})
  await expect(late.refund(request)).rejects.toMatchObject(nothing)
  simulator.refuse('certificates', undefined)
  advanceClock(minutes)
  await expect(late.refund(request)).resolves.toMatchObject({ state: 'done' })
})

test('while a merchant migrates, notices come under both kinds of key', async () => {
  wechat = await connectWeChat('both')
  const { simulator, provider, paid } = wechat
  const attemptNo = await paid()
  for (const kind of ['certificate', 'public_key', 'certificate'] as const) {
    simulator.signNoticesWith(kind)
    expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(payment)
  }
  expect(provider.heldKeys().map(({ kind }) => kind)).toEqual(['public_key', 'certificate'])
})

test('a merchant without certificates is not held up by them', async () => {
  wechat = await connectWeChat('public_key')
  const { simulator, another, paid, notices } = wechat
  const provider = another({ wechat_mode: 'both' })
  const attemptNo = await paid()
  await expect(provider.query(attemptNo)).resolves.toMatchObject({ state: 'paid' })
  await simulator.notify(attemptNo)
  const [notice] = notices
  if (!notice) throw new Error('no notice')
  await expect(provider.readNotice(notice)).resolves.toEqual(payment)
})

test('whoever verifies by the public key alone takes nothing else, and asks for nothing', async () => {
  wechat = await connectWeChat('public_key')
  const { simulator, provider, paid, downloads } = wechat
  const attemptNo = await paid()
  simulator.signNoticesWith('certificate')
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(refused)
  simulator.signNoticesWith('public_key')
  expect(await outcomeOf(simulator.notify(attemptNo))).toEqual(payment)
  expect(downloads()).toBe(0)
  const serial = simulator.settings['wechat_public_key_id']
  expect(provider.heldKeys()).toEqual([{ serial, kind: 'public_key', expiresAt: null }])
})
