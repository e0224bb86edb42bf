import { createVerify, createPublicKey } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { miniProgramAppId } from '#server/testing/pay/wechat-simulator.ts'
import { connectWeChat, type ConnectedWeChat } from '#server/testing/pay/wechat/connect.ts'
import { PayProviderError } from '../pay-provider.ts'

let wechat: ConnectedWeChat
beforeAll(async () => {
  wechat = await connectWeChat()
})
afterAll(() => wechat.close())

async function refusalOf(call: Promise<unknown>): Promise<PayProviderError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof PayProviderError)) throw new Error(`not refused: ${String(error)}`)
  return error
}

test('a desktop shows a code, a phone goes to WeChat and comes back', async () => {
  const { provider, request } = wechat
  expect(await provider.create(request())).toEqual({
    kind: 'qrcode',
    content: expect.stringMatching(/^weixin:\/\/wxpay\//),
  })
  const instruction = await provider.create(request({ client: 'phone' }))
  const url = new URL(instruction.kind === 'redirect' ? instruction.url : '')
  expect(url.searchParams.get('redirect_url')).toBe('https://wenku.example/order/1?from=pay&a=1')
})

test.each(['wechat-browser', 'mini-program'] as const)('signs the call that the %s makes', async (client) => {
  const { provider, request, simulator } = wechat
  const payment = request({ client, openid: 'oUpF8uMuAJO' })
  const instruction = await provider.create(payment)
  if (instruction.kind !== 'jsapi') throw new Error(instruction.kind)
  const { appId, timeStamp, nonceStr, package: prepay, signType, paySign = '' } = instruction.parameters
  expect(signType).toBe('RSA')
  expect(prepay).toMatch(/^prepay_id=wx/)
  // A mini program has its own, and is not told.
  const { wechat_app_id, wechat_private_key = '' } = simulator.settings
  expect(appId).toBe(client === 'mini-program' ? undefined : wechat_app_id)
  const message = `${appId ?? miniProgramAppId}\n${timeStamp}\n${nonceStr}\n${prepay}\n`
  const key = createPublicKey(wechat_private_key)
  expect(createVerify('RSA-SHA256').update(message).verify(key, paySign, 'base64')).toBe(true)
  simulator.pay(payment.attemptNo)
  expect(await provider.query(payment.attemptNo)).toMatchObject({ state: 'paid', merchant: provider.merchant })
})

test('inside WeChat the buyer must be known', async () => {
  const { provider, request } = wechat
  const error = await refusalOf(provider.create(request({ client: 'wechat-browser' })))
  expect(error.message).toContain('openid')
  expect(error.isTemporary).toBe(false)
})

test('the same number with other values is refused', async () => {
  const { provider, request } = wechat
  const first = request()
  await provider.create(first)
  for (const changes of [{ fen: 101 }, { title: '别的' }, { expiresAt: first.expiresAt + 1000 }]) {
    const error = await refusalOf(provider.create({ ...first, ...changes }))
    expect(error).toMatchObject({ code: 'INVALIDREQUEST', isTemporary: false })
    expect(error.message).toContain('参数与首次请求时不一致')
  }
})

test.each([
  ['pay', 'ORDERPAID'],
  ['close', 'ORDERCLOSED'],
])('a number that is over cannot begin again (%s)', async (how, code) => {
  const { provider, request, simulator } = wechat
  const payment = request()
  await provider.create(payment)
  if (how === 'pay') simulator.pay(payment.attemptNo)
  else await provider.close(payment.attemptNo)
  expect(await refusalOf(provider.create(payment))).toMatchObject({ code, isTemporary: false })
})

test('a refusal keeps what WeChat’s support asks for', async () => {
  const { provider, simulator, request } = wechat
  simulator.refuse('create', { status: 403, code: 'RULE_LIMIT', message: '业务规则限制' })
  const error = await refusalOf(provider.create(request()))
  simulator.refuse('create', undefined)
  expect(error).toMatchObject({ code: 'RULELIMIT', isTemporary: false })
  expect(error.message).toMatch(/HTTP 403，RULELIMIT，业务规则限制，Request-Id 08[0-9A-F]{24}-268578704/)
})

test.each([
  [500, 'SYSTEM_ERROR', true],
  [500, 'SYSTEMERROR', true],
  [500, 'BANK_ERROR', true],
  [429, 'FREQUENCY_LIMITED', true],
  [502, 'anything', true],
  [500, 'OPENID_MISMATCH', false],
  [400, 'PARAM_ERROR', false],
  [401, 'SIGN_ERROR', false],
  [403, 'NO_AUTH', false],
])('whether %i %s is temporary: %s', async (status, code, isTemporary) => {
  const { provider, simulator, request } = wechat
  simulator.refuse('create', { status, code, message: '' })
  expect(await refusalOf(provider.create(request()))).toMatchObject({ isTemporary })
  simulator.refuse('create', undefined)
})

test.each(['ORDER_NOT_EXIST', 'ORDERNOTEXIST'])('%s is a payment that does not exist', async (code) => {
  const { provider, simulator } = wechat
  simulator.refuse('query', { status: 404, code, message: '订单不存在' })
  expect(await provider.query('A000001')).toMatchObject({ state: 'unknown' })
  simulator.refuse('query', undefined)
})

test('what cannot be closed is asked about: only its state decides', async () => {
  const { provider, simulator, request, paid } = wechat
  const unpaid = request()
  await provider.create(unpaid)
  const paidNo = await paid()
  simulator.refuse('close', { status: 403, code: 'TRADE_ERROR', message: '订单状态错误' })
  expect(await provider.close(paidNo)).toBe('paid')
  expect(await provider.close('A000001')).toBe('closed')
  expect(await refusalOf(provider.close(unpaid.attemptNo))).toMatchObject({ code: 'TRADEERROR' })
  simulator.refuse('close', undefined)
})

test('a refund that WeChat has is not refused, whatever a repeated request is answered', async () => {
  const { provider, simulator, paid } = wechat
  const attemptNo = await paid()
  const { transactionId } = await provider.query(attemptNo)
  const refund = {
    refundNo: `R${attemptNo}`,
    attemptNo,
    transactionId,
    fen: 100,
    totalFen: 100,
    reason: `很长的理由😀${'长'.repeat(100)}`,
    notifyUrl: 'https://wenku.example/notify',
  }
  expect(await provider.refund(refund)).toMatchObject({ state: 'done' })
  simulator.refuse('refund', { status: 400, code: 'INVALID_REQUEST', message: '订单已全额退款' })
  expect(await provider.refund(refund)).toMatchObject({ state: 'done' })
  expect(await provider.refund({ ...refund, refundNo: `S${attemptNo}` })).toMatchObject({
    state: 'refused',
    message: expect.stringContaining('订单已全额退款'),
  })
  simulator.refuse('refund', undefined)
})

test('an address of a gateway may end with a slash, or be a path', async () => {
  const { another, simulator } = wechat
  const provider = another({ wechat_gateway: `${simulator.url}//` })
  expect(await provider.query('A000001')).toMatchObject({ state: 'unknown' })
})

test('no request of these was wrong', () => {
  expect(wechat.simulator.complaints).toEqual([])
})
