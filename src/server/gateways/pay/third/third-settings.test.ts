import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { startAnsweringGateway } from '#server/testing/pay/third/answering-gateway.ts'
import { connectThirdParty, providerFor } from '#server/testing/pay/third/connect-third-party.ts'

/** Trying the settings says in Chinese what is wrong with them. */

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function connect(...[dialect, changes]: Parameters<typeof connectThirdParty>) {
  const connected = await connectThirdParty(dialect, changes)
  opened.push(() => connected.simulator.close())
  return connected
}

async function gatewayAnswering(...given: Parameters<typeof startAnsweringGateway>) {
  const gateway = await startAnsweringGateway(...given)
  opened.push(() => gateway.close())
  return gateway
}

const own = 'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKp'
test.each([
  ['epay', { third_gateway: '' }, /接口地址/],
  ['epay', { third_gateway: '/pay' }, /接口地址/],
  ['epay', { third_merchant_id: ' ' }, /商户 ID/],
  ['epay', { third_key: '' }, /商户密钥/],
  ['epay', { third_key: 'wrong' }, /商户密钥错误/],
  ['epay', { third_merchant_id: '9' }, /商户不存在/],
  ['epay_v2', { third_private_key: '' }, /商户私钥/],
  ['epay_v2', { third_private_key: 'x' }, /商户私钥不完整/],
  ['epay_v2', { third_public_key: own }, /平台公钥不完整/],
  ['epay_v2', { third_merchant_id: '9' }, /商户不存在/],
  ['xunhupay', { third_key: 'wrong' }, /签名错误，请核对商户密钥/],
  ['xunhupay', { third_merchant_id: '9' }, /appid 无效/],
] as const)('%s with %j', async (dialect, changes, message) => {
  const { provider } = await connect(dialect, changes)
  await expect(provider.test()).rejects.toMatchObject({
    name: 'PayProviderError',
    message: expect.stringMatching(message),
  })
})

test('易支付 V2 with keys that belong to others', async () => {
  const { simulator } = await connect('epay_v2')
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const third_private_key = other.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const third_public_key = other.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const withPrivate = providerFor({ ...simulator.settings, third_private_key })
  await expect(withPrivate.test()).rejects.toMatchObject({ message: expect.stringMatching(/签名校验失败/) })
  const withPublic = providerFor({ ...simulator.settings, third_public_key })
  await expect(withPublic.test()).rejects.toMatchObject({ message: expect.stringMatching(/请核对平台公钥/) })
  const withOwn = providerFor({ ...simulator.settings, third_private_key, third_public_key })
  await expect(withOwn.test()).rejects.toMatchObject({ message: expect.stringMatching(/填成了商户自己的公钥/) })
})

test('with a clock that is off', async () => {
  const { simulator } = await connect('epay_v2')
  const provider = providerFor(simulator.settings, { now: () => Date.now() - 20 * 60_000 })
  await expect(provider.test()).rejects.toMatchObject({
    message: expect.stringMatching(/时间与支付网关相差 20 分钟/),
  })
})

test('at an address that is a web site, leads elsewhere, or says nothing', async () => {
  const settings = { third_merchant_id: '1', third_key: 'secret-key' }
  const site = await gatewayAnswering(() => '<h1>hello</h1>')
  const testing = providerFor({ ...settings, third_gateway: site.url }).test()
  await expect(testing).rejects.toMatchObject({
    code: 'bad-answer',
    message: expect.stringMatching(/请检查接口地址/),
  })

  const elsewhere = await gatewayAnswering(() => ({ code: 1 }))
  const moved = await gatewayAnswering(() => '', { location: `${elsewhere.url}/api.php` })
  const redirected = providerFor({ ...settings, third_gateway: moved.url }).test()
  await expect(redirected).rejects.toMatchObject({ message: expect.stringMatching(/被转到了别处/) })
  expect(elsewhere.requests).toEqual([])

  const silent = await gatewayAnswering(() => undefined)
  const waiting = providerFor({ ...settings, third_gateway: silent.url }, { timeoutMs: 50 }).test()
  await expect(waiting).rejects.toMatchObject({
    code: 'unreachable',
    isTemporary: true,
    message: expect.stringMatching(/没有响应/),
  })
})
