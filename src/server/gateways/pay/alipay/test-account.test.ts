import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Settings } from '#shared/settings.ts'
import {
  alipayCertificate,
  applicationCertificate,
  applicationKey,
  unrelatedKey,
} from '#server/testing/pay/alipay/identities.ts'
import { openAlipay } from '#server/testing/pay/alipay/open.ts'

const publicKeyOf = (key: string) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

test.each(['key', 'certificate'] as const)('finds nothing wrong by %s', async (mode) => {
  const { provider, simulator } = await openAlipay({ mode })
  await expect(provider.test()).resolves.toBeUndefined()
  expect(simulator.calls).toEqual([{ call: 'query', attemptNo: expect.stringMatching(/^test/) }])
})

test.each<[string, Partial<Settings['pay']>, RegExp]>([
  ['another application', { alipay_app_id: '2021000000000009' }, /没有这个应用.*应用 ID/],
  ['an application id that is none', { alipay_app_id: 'wx12345' }, /应用 ID 应是 16 位数字/],
  ['another private key', { alipay_private_key: unrelatedKey }, /不认我们的签名.*应用私钥/],
  ['a private key that is none', { alipay_private_key: 'x' }, /应用私钥读不出来/],
  ["the application's own public key", { alipay_public_key: publicKeyOf(applicationKey) }, /应用自己的公钥/],
  ['an unrelated public key', { alipay_public_key: publicKeyOf(unrelatedKey) }, /没有通过验签.*支付宝公钥/],
  ['a public key that is none', { alipay_public_key: '' }, /支付宝公钥读不出来/],
  ['an address that is none', { alipay_gateway: '/x' }, /接口地址不是有效的网址/],
  ['an address where nobody answers', { alipay_gateway: 'http://127.0.0.1:9/gateway.do' }, /连接不上支付宝/],
])('tells by key what is wrong: %s', async (_, settings, words) => {
  const { provider } = await openAlipay({ settings })
  await expect(provider.test()).rejects.toThrow(words)
  await expect(provider.test()).rejects.toMatchObject({ name: 'PayProviderError' })
})

test.each<[string, Partial<Settings['pay']>, RegExp]>([
  ['another private key', { alipay_private_key: unrelatedKey }, /应用公钥证书与应用私钥不是一对/],
  ["the application's certificate twice", { alipay_certificate: applicationCertificate }, /应用自己的公钥/],
  ['the certificates exchanged', { alipay_app_certificate: alipayCertificate }, /不是一对/],
  ['no certificate of Alipay', { alipay_certificate: '' }, /支付宝公钥证书读不出来/],
  ['no certificate of the application', { alipay_app_certificate: 'x' }, /应用公钥证书读不出来/],
  ['no root certificate', { alipay_root_certificate: '' }, /支付宝根证书读不出来/],
  ['another root certificate', { alipay_root_certificate: alipayCertificate }, /支付宝：.*alipay-root-cert-sn/],
])('tells by certificate what is wrong: %s', async (_, settings, words) => {
  const { provider } = await openAlipay({ mode: 'certificate', settings })
  await expect(provider.test()).rejects.toThrow(words)
})

test.each([
  ['40006', 'isv.insufficient-isv-permissions', '签约'],
  ['40004', 'ACQ.ACCESS_FORBIDDEN', '签约'],
  ['40002', 'not-online-app', '上线'],
  ['40002', 'app-cert-expired', '过期'],
])('tells what is to be done about %s %s', async (code, subCode, words) => {
  const { provider, simulator } = await openAlipay()
  simulator.answerWith({ code, sub_code: subCode, sub_msg: 'refused' })
  await expect(provider.test()).rejects.toThrow(words)
})

test.each([
  ['慢 20', -20],
  ['快 20', 20],
  ['慢 7', -7],
])('tells that the clock is off: %s 分钟', async (words, minutes) => {
  const { provider } = await openAlipay({ now: () => Date.now() + minutes * 60_000 })
  await expect(provider.test()).rejects.toThrow(`时钟比支付宝${words} 分钟`)
})
