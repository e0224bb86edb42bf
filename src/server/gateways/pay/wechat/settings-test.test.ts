import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectWeChat, type ConnectedWeChat } from '#server/testing/pay/wechat/connect.ts'
import type { Settings } from '#shared/settings.ts'
import { PayProviderError, type PayProvider } from '../pay-provider.ts'

let byPublicKey: ConnectedWeChat
let byCertificate: ConnectedWeChat
let migrating: ConnectedWeChat
beforeAll(async () => {
  byPublicKey = await connectWeChat('public_key')
  byCertificate = await connectWeChat('certificate')
  migrating = await connectWeChat('both')
})
afterAll(async () => {
  await Promise.all([byPublicKey, byCertificate, migrating].map((wechat) => wechat.close()))
})

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

async function complaintOf(provider: PayProvider): Promise<string> {
  const error: unknown = await provider.test().catch((thrown: unknown) => thrown)
  if (!(error instanceof PayProviderError)) throw new Error(`not refused: ${String(error)}`)
  return error.message
}

const wrong: [string, Partial<Settings['pay']>, string][] = [
  ['the merchant’s number is missing', { wechat_mch_id: '' }, '商户号应是数字'],
  ['the app is missing', { wechat_app_id: '' }, 'AppID 没有填写'],
  ['the serial is no serial', { wechat_serial: '第一张' }, '40 位十六进制数'],
  ['the APIv3 key is short', { wechat_api_key: 'abc' }, 'APIv3 密钥应是 32 个字符，现在是 3 个'],
  ['the private key is no key', { wechat_private_key: '-----BEGIN PRIVATE KEY-----' }, 'apiclient_key.pem 的全部内容'],
  ['the private key is a public key', { wechat_private_key: publicKey }, 'apiclient_key.pem 的全部内容'],
  ['the private key is another one', { wechat_private_key: privateKey }, '请检查商户 API 私钥与证书序列号'],
  ['the serial is another one', { wechat_serial: 'A'.repeat(40) }, '商户 API 证书序列号不对'],
  ['the merchant is another one', { wechat_mch_id: '1900000999' }, '商户号是否正确'],
  ['the app is another one', { wechat_app_id: 'wx0000000000000999' }, 'AppID 没有与商户号绑定'],
  ['nobody is at the address', { wechat_gateway: 'http://127.0.0.1:1' }, '连接不上'],
  ['the address is none', { wechat_gateway: 'nonsense' }, '连接不上'],
]

test.each(wrong)('tells that %s', async (_, changes, words) => {
  expect(await complaintOf(byPublicKey.another(changes))).toContain(words)
  expect(await complaintOf(byCertificate.another(changes))).toContain(words)
})

const wrongPublicKey: [string, Partial<Settings['pay']>, string][] = [
  ['the id is missing', { wechat_public_key_id: '' }, '应以 PUB_KEY_ID_ 开头'],
  ['the id is another one', { wechat_public_key_id: 'PUB_KEY_ID_9' }, '微信支付公钥 ID 不对'],
  ['the key is missing', { wechat_public_key: '' }, 'pub_key.pem 的全部内容'],
  ['the key is a private key', { wechat_public_key: privateKey }, '填成了证书或私钥'],
  ['the key is another one', { wechat_public_key: publicKey }, '请检查微信支付公钥和公钥 ID'],
  ['there are no certificates', { wechat_mode: 'certificate' }, '没有平台证书，验签方式请选“微信支付公钥”'],
]

test.each(wrongPublicKey)('tells of the public key that %s', async (_, changes, words) => {
  expect(await complaintOf(byPublicKey.another(changes))).toContain(words)
})

test('tells that the clock is off', async () => {
  for (const ms of [600_000, -600_000]) {
    const now = () => Date.now() + ms
    expect(await complaintOf(byPublicKey.another({}, { now }))).toContain('服务器的时钟与微信相差 5 分钟以上')
    expect(await complaintOf(byCertificate.another({}, { now }))).toContain('服务器的时钟与微信相差 5 分钟以上')
  }
})

test('tells that the APIv3 key is another one wherever there are certificates to decrypt', async () => {
  const changes = { wechat_api_key: 'x'.repeat(32) }
  expect(await complaintOf(byCertificate.another(changes))).toContain('APIv3 密钥不对')
  expect(await complaintOf(migrating.another(changes))).toContain('APIv3 密钥不对')
  expect(await complaintOf(migrating.another({ ...changes, wechat_mode: 'public_key' }))).toContain('APIv3 密钥不对')
})

test('tells that the product was not applied for', async () => {
  const { simulator, provider } = byPublicKey
  simulator.refuse('create', { status: 403, code: 'NO_AUTH', message: '商户号该产品权限未开通' })
  expect(await complaintOf(provider)).toContain('没有开通这项支付产品')
  simulator.refuse('create', undefined)
  await provider.test()
})

test.each([
  ['their first and last line', /-----.*-----\n/g],
  ['line breaks, which the field of a secret does not take', /\n/g],
])('keys may be pasted without %s', async (_, missing) => {
  const { simulator, another } = byPublicKey
  const pasted = (name: string) => (simulator.settings[name] ?? '').replaceAll(missing, '')
  const keys = { wechat_private_key: pasted('wechat_private_key'), wechat_public_key: pasted('wechat_public_key') }
  await another(keys).test()
})

test('every call tells that settings are missing', async () => {
  const { another, request } = byPublicKey
  const provider = another({ wechat_mch_id: '' })
  const notConfigured = { name: 'PayProviderError', code: 'not-configured', isTemporary: false }
  await expect(provider.create(request())).rejects.toMatchObject(notConfigured)
  await expect(provider.query('A000001')).rejects.toMatchObject(notConfigured)
  await expect(provider.readBill('2026-11-01')).rejects.toMatchObject(notConfigured)
})
