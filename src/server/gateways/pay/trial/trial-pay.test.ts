import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { InvalidNotice, type PaymentRequest, type PayProvider, PayProviderError } from '../pay-provider.ts'
import { trialPay } from './trial-pay.ts'

const key = randomBytes(32)
const at = Date.UTC(2026, 10, 17)
const open = (test_mode = true, secret = key) => trialPay({ test_mode }, { now: () => at }, secret)

const request: PaymentRequest = {
  attemptNo: 'A0000001',
  fen: 1999,
  title: '季卡 100% & “优惠”',
  expiresAt: at + 60_000,
  notifyUrl: 'https://wenku.example/notify',
  returnUrl: 'https://wenku.example/order?order_no=O1&x=1',
  client: 'desktop',
  ip: '203.0.113.7',
}

async function ticketOf(provider: PayProvider, changes: Partial<PaymentRequest> = {}): Promise<string> {
  const instruction = await provider.create({ ...request, ...changes })
  if (instruction.kind !== 'redirect') throw new Error(instruction.kind)
  return new URL(instruction.url, 'https://wenku.example').search.slice(1)
}

const noticeOf = (ticket: string) => ({
  method: 'POST',
  query: '',
  headers: new Headers(),
  body: Buffer.from(ticket),
})

test('leads to a page of ours that can show what is bought, and where to go afterwards', async () => {
  const provider = open()
  expect(await provider.create(request)).toMatchObject({
    kind: 'redirect',
    url: expect.stringMatching(/^\/order\/trial\?/),
  })
  const fields = new URLSearchParams(await ticketOf(provider))
  expect(Object.fromEntries(fields)).toMatchObject({
    attempt_no: 'A0000001',
    fen: '1999',
    title: request.title,
    return_path: '/order?order_no=O1&x=1',
  })
  expect(await provider.create(request)).toEqual(await provider.create(request))
})

test('the ticket is the notice of the payment, every time, for any process with the key', async () => {
  const notice = noticeOf(await ticketOf(open()))
  const paid = {
    kind: 'payment',
    payment: {
      state: 'paid',
      attemptNo: 'A0000001',
      transactionId: 'trialA0000001',
      merchant: open().merchant,
      fen: 1999,
      currency: 'CNY',
      paidAt: at,
    },
  }
  expect(await open().readNotice(notice)).toEqual(paid)
  expect(await open().readNotice(notice)).toEqual(paid)
})

describe('a ticket is refused', () => {
  test.each([
    ['another amount', (ticket: string) => ticket.replace('fen=1999', 'fen=1')],
    ['another attempt', (ticket: string) => ticket.replace('A0000001', 'A0000002')],
    ['a value more', (ticket: string) => `${ticket}&fen=1`],
    ['a value less', (ticket: string) => ticket.replace(/title=[^&]*&/, '')],
    ['another signature', (ticket: string) => `${ticket}x`],
    ['no signature', (ticket: string) => ticket.replace(/&signature=.*/, '')],
    ['nothing', () => ''],
  ])('with %s', async (_, change) => {
    await expect(open().readNotice(noticeOf(change(await ticketOf(open()))))).rejects.toBeInstanceOf(InvalidNotice)
  })

  test('with values that run into each other', async () => {
    const ticket = new URLSearchParams(await ticketOf(open(), { title: 'a","b' }))
    ticket.set('title', 'a')
    await expect(open().readNotice(noticeOf(String(ticket)))).rejects.toBeInstanceOf(InvalidNotice)
  })

  test('from another site', async () => {
    const ticket = await ticketOf(open(true, randomBytes(32)))
    await expect(open().readNotice(noticeOf(ticket))).rejects.toBeInstanceOf(InvalidNotice)
  })

  test('once test mode is off', async () => {
    const ticket = await ticketOf(open())
    await expect(open(false).readNotice(noticeOf(ticket))).rejects.toBeInstanceOf(InvalidNotice)
  })
})

test('does nothing at all while test mode is off', async () => {
  const provider = open(false)
  const refund = { ...request, refundNo: 'R1', transactionId: '', totalFen: 1999, reason: '' }
  const calls = [
    provider.create(request),
    provider.query('A0000001'),
    provider.close('A0000001'),
    provider.refund(refund),
    provider.queryRefund(refund),
    provider.test(),
  ]
  for (const call of calls) await expect(call).rejects.toBeInstanceOf(PayProviderError)
})

test('refunds at once, as often as asked, and never more than was paid', async () => {
  const refund = { ...request, refundNo: 'R1', transactionId: '', totalFen: 1999, reason: '' }
  expect(await open().refund(refund)).toMatchObject({ state: 'done' })
  expect(await open().refund(refund)).toMatchObject({ state: 'done' })
  expect(await open().refund({ ...refund, fen: 2000 })).toMatchObject({ state: 'refused' })
})

test('knows of no payment and has no bill: the site asks it nothing', async () => {
  expect(await open().query('A0000001')).toMatchObject({ state: 'unknown', fen: 0, paidAt: null })
  expect(await open().close('A0000001')).toBe('closed')
  expect(await open().readBill('2026-11-17')).toBeUndefined()
  expect(open().hasNoBill).toBe(true)
})
