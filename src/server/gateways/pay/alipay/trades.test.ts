import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { defaultSettings } from '#shared/settings.ts'
import { bareKey } from '#server/testing/pay/alipay/formats.ts'
import { applicationKey } from '#server/testing/pay/alipay/identities.ts'
import { openAlipay, paymentRequest } from '#server/testing/pay/alipay/open.ts'
import type { PayInstruction } from '../pay-provider.ts'
import { alipay } from './alipay.ts'

const at = Date.UTC(2026, 11, 31, 16, 0, 0)
const parametersOf = (instruction: PayInstruction) => {
  const url = new URL(instruction.kind === 'redirect' ? instruction.url : '')
  const content = JSON.parse(url.searchParams.get('biz_content') ?? '') as Record<string, string>
  return { url, parameters: Object.fromEntries(url.searchParams), content }
}

test.each([
  ['desktop', 'alipay.trade.page.pay', 'FAST_INSTANT_TRADE_PAY'],
  ['phone', 'alipay.trade.wap.pay', 'QUICK_WAP_WAY'],
  ['wechat-browser', 'alipay.trade.wap.pay', 'QUICK_WAP_WAY'],
] as const)('sends the buyer of a %s to %s, until the order expires', async (client, method, product) => {
  const { provider, simulator } = await openAlipay({ now: () => at })
  const request = paymentRequest({ client, expiresAt: at + 30 * 60_000 + 999, title: 'A/B=C&D' })
  const { url, parameters, content } = parametersOf(await provider.create(request))
  expect(`${url.origin}${url.pathname}`).toBe(`${simulator.url}/gateway.do`)
  // Beijing is in the next year already.
  expect(parameters).toMatchObject({ method, timestamp: '2027-01-01 00:00:00', return_url: request.returnUrl })
  expect(content).toMatchObject({ total_amount: '19.99', product_code: product, time_expire: '2027-01-01 00:30:00' })
  expect(content.subject).toBe('A／B＝C＆D')
  expect(simulator.calls).toEqual([])
})

test.each([
  [{ alipay_sandbox: false }, 'https://openapi.alipay.com/gateway.do'],
  [{ alipay_sandbox: true }, 'https://openapi-sandbox.dl.alipaydev.com/gateway.do'],
  [{ alipay_sandbox: true, alipay_gateway: 'http://127.0.0.1:9/x' }, 'http://127.0.0.1:9/x'],
])('goes to the address of %j', async (settings, address) => {
  const { provider } = await openAlipay({ settings: { alipay_gateway: '', ...settings } })
  const { url } = parametersOf(await provider.create(paymentRequest()))
  expect(`${url.origin}${url.pathname}`).toBe(address)
})

test('shows a code face to face, that Alipay does not know until it is scanned', async () => {
  const { provider, simulator } = await openAlipay({ isFaceToFace: true })
  const request = paymentRequest()
  const instruction = await provider.create(request)
  expect(instruction).toEqual({ kind: 'qrcode', content: `${simulator.url}/pay/${request.attemptNo}` })
  expect(await provider.query(request.attemptNo)).toMatchObject({ state: 'unknown', transactionId: '', fen: 0 })
  expect(await provider.close(request.attemptNo)).toBe('closed')
  // Closed here, and paid all the same: it is for the site to see that it is late.
  await fetch(`${simulator.url}/pay/${request.attemptNo}`)
  expect(await provider.query(request.attemptNo)).toMatchObject({ state: 'unpaid', transactionId: '', paidAt: null })
  simulator.pay(request.attemptNo)
  expect(await provider.query(request.attemptNo)).toMatchObject({ state: 'paid', fen: 1999 })
  expect(simulator.calls.map(({ call }) => call)).toEqual(['create', 'query', 'close', 'query', 'query'])
  expect(simulator.complaints).toEqual([])
})

test('pays on phones by a link even if desktops have a code', async () => {
  const { provider } = await openAlipay({ isFaceToFace: true })
  expect(await provider.create(paymentRequest({ client: 'phone' }))).toMatchObject({ kind: 'redirect' })
})

test('cannot be used in a mini program', async () => {
  const { provider } = await openAlipay()
  await expect(provider.create(paymentRequest({ client: 'mini-program' }))).rejects.toThrow('小程序')
})

test('does not begin with another amount under the same number', async () => {
  const { provider } = await openAlipay({ isFaceToFace: true })
  const request = paymentRequest()
  await provider.create(request)
  await expect(provider.create({ ...request, fen: 1 })).rejects.toMatchObject({
    code: 'ACQ.CONTEXT_INCONSISTENT',
    isTemporary: false,
  })
})

test('is paid by a button on the page of the buyer, who comes back to the site', async () => {
  const { provider, simulator } = await openAlipay()
  const request = paymentRequest()
  const { url } = parametersOf(await provider.create(request))
  const page = await (await fetch(url)).text()
  expect(page).toContain('19.99')
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
  const back = await fetch(new URL(action, url), { method: 'POST', redirect: 'manual' })
  expect(back.status).toBe(303)
  expect(back.headers.get('location')).toMatch(/^https:\/\/wenku\.example\/order\/1\?sign=.*&out_trade_no=/)
  expect(await provider.query(request.attemptNo)).toMatchObject({ state: 'paid' })
  expect(simulator.complaints).toEqual([])
})

test('an address that was changed on its way opens nothing', async () => {
  const { provider, simulator } = await openAlipay()
  const { url } = parametersOf(await provider.create(paymentRequest()))
  url.searchParams.set('biz_content', (url.searchParams.get('biz_content') ?? '').replace('19.99', '0.01'))
  const response = await fetch(url)
  expect([response.status, simulator.complaints]).toEqual([400, ['isv.invalid-signature']])
})

test.each(['pkcs1', 'pkcs8'] as const)('signs by a key in %s, bare or as PEM', async (type) => {
  const pem = createPrivateKey(applicationKey).export({ type, format: 'pem' }).toString()
  for (const text of [pem, bareKey(pem)]) {
    const { provider, simulator } = await openAlipay({ settings: { alipay_private_key: text } })
    expect(await provider.query('T000001')).toMatchObject({ state: 'unknown' })
    expect(simulator.complaints).toEqual([])
  }
})

test.each(['1e2', '0x10', ' 1.00', '-1.00', '1.005', ''])(
  'does not believe an answer with the amount %j',
  async (amount) => {
    const { provider, simulator } = await openAlipay({ isFaceToFace: true })
    const { attemptNo } = paymentRequest()
    await provider.create(paymentRequest({ attemptNo }))
    simulator.pay(attemptNo)
    simulator.answerWith({ total_amount: amount })
    await expect(provider.query(attemptNo)).rejects.toMatchObject({ code: 'bad-answer' })
    simulator.answerWith({ trade_status: 'TRADE_NEW' })
    await expect(provider.query(attemptNo)).rejects.toMatchObject({ code: 'bad-answer' })
    simulator.answerWith({ out_trade_no: 'another' })
    await expect(provider.query(attemptNo)).rejects.toMatchObject({ code: 'bad-answer' })
  },
)

test('20000 tells nothing about the outcome, of refunds and closings too', async () => {
  const { provider, simulator } = await openAlipay({ isFaceToFace: true })
  const request = paymentRequest()
  await provider.create(request)
  simulator.pay(request.attemptNo)
  const unavailable = { code: '20000', msg: 'Service Currently Unavailable', sub_code: 'isp.unknow-error' }
  const refund = { refundNo: 'R00001', attemptNo: request.attemptNo, transactionId: '', fen: 1999, totalFen: 1999 }
  const calls = [
    () => provider.query(request.attemptNo),
    () => provider.close(request.attemptNo),
    () => provider.refund({ ...refund, reason: '', notifyUrl: '' }),
    () => provider.queryRefund(refund),
  ]
  for (const call of calls) {
    simulator.answerWith(unavailable)
    await expect(call()).rejects.toMatchObject({ code: 'isp.unknow-error', isTemporary: true })
  }
  // That refund was made: its repetition moves nothing, and is found done.
  simulator.answerRefunds('refused')
  expect(await provider.refund({ ...refund, reason: '', notifyUrl: '' })).toEqual({ state: 'done', message: '' })
})

test('is on its way if no money has moved yet', async () => {
  const { provider, simulator } = await openAlipay({ isFaceToFace: true })
  const request = paymentRequest()
  await provider.create(request)
  simulator.pay(request.attemptNo)
  const numbers = { refundNo: 'R00002', attemptNo: request.attemptNo, transactionId: '' }
  simulator.answerWith({ code: '10000', fund_change: 'N' })
  simulator.answerRefunds('refused')
  const state = await provider.refund({ ...numbers, fen: 1, totalFen: 1999, reason: '', notifyUrl: '' })
  expect(state.state).toBe('processing')
})

test('says what is missing when it is used without settings', async () => {
  const provider = alipay(defaultSettings().pay, { now: Date.now, nonce: () => 'n' })
  expect(provider.merchant).toBe('')
  await expect(provider.create(paymentRequest())).rejects.toMatchObject({ code: 'not-configured' })
  await expect(provider.test()).rejects.toThrow('应用 ID')
})
