import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { orders } from '#shared/contract/orders.ts'
import { settings } from '#shared/contract/settings.ts'
import { maskedSecret } from '#shared/setting-fields.ts'
import { startAlipaySimulator } from '#server/testing/pay/alipay-simulator.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startThirdPartySimulator } from '#server/testing/pay/third-simulator.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

let site: Site
let wechat: PaySimulator
let alipay: PaySimulator
let third: PaySimulator
beforeAll(async () => {
  site = await openSite()
  await site.configure({ 'system.domain': 'https://wenku.example.com' })
  wechat = await startWeChatSimulator({ mode: 'both' })
  alipay = await startAlipaySimulator()
  third = await startThirdPartySimulator('epay')
})
afterAll(async () => {
  await site.close()
  for (const simulator of [wechat, alipay, third]) await simulator.close()
})

type Provider = 'wechat' | 'alipay' | 'third'

const toConfig = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => ({ category: 'pay', name, value }))

const tryOut = (provider: Provider, values: Record<string, string>) =>
  site.root.call(orders.testProvider, { provider, config: toConfig(values) })

describe('the test of a provider', () => {
  test('uses the values of the form, and saves none', async () => {
    for (const [provider, simulator, title] of [
      ['wechat', wechat, '微信支付'],
      ['alipay', alipay, '支付宝'],
      ['third', third, '第三方支付'],
    ] as const)
      expect(await tryOut(provider, simulator.settings)).toEqual({ message: `${title}的设置可以使用` })
    expect((await site.app.context()).settings.pay).toMatchObject({
      wechat_mch_id: '',
      alipay_app_id: '',
      third_key: '',
    })
  })

  test('says in Chinese what is wrong', async () => {
    expect(await refusal(tryOut('wechat', {}))).toMatchObject({
      reason: 'orders.testFailed',
      message: expect.stringMatching(/^微信支付：/),
    })
    const wrongKey = tryOut('wechat', { ...wechat.settings, wechat_api_key: 'x'.repeat(32) })
    expect(await refusal(wrongKey)).toMatchObject({ message: expect.stringContaining('APIv3 密钥') })
    const wrongAddress = tryOut('alipay', { ...alipay.settings, alipay_gateway: 'not an address' })
    expect(await refusal(wrongAddress)).toMatchObject({ reason: 'settings.wrongValue' })
  })

  test('keeps masked secrets, but sends none to another server; nor can that be saved', async () => {
    await site.configure(
      Object.fromEntries(Object.entries(third.settings).map(([name, value]) => [`pay.${name}`, value])),
    )
    const masked = { ...third.settings, third_key: maskedSecret }
    expect(await tryOut('third', masked)).toEqual({ message: '第三方支付的设置可以使用' })
    const other = await startThirdPartySimulator('epay')
    const elsewhere = { ...masked, third_gateway: other.settings['third_gateway'] ?? '' }
    const again = { reason: 'settings.secretAgain', message: '更换接口地址时，请重新输入商户密钥' }
    expect(await refusal(tryOut('third', elsewhere))).toMatchObject(again)
    expect(await refusal(site.root.call(settings.update, { config: toConfig(elsewhere) }))).toMatchObject(again)
    expect(other.calls).toEqual([])
    await other.close()
  })

  test('needs the permission to change settings, and leaves no secret in the audit log', async () => {
    const reader = await site.staff('ConfigAPI/ListConfig')
    expect(await refusal(reader.call(orders.testProvider, { provider: 'wechat' }))).toMatchObject({ status: 403 })
    await tryOut('alipay', alipay.settings)
    const { audit } = await site.root.call(audits.list, { size: 10 })
    expect(audit[0]).toMatchObject({ change: '支付宝' })
  })
})

describe('the keys of WeChat Pay', () => {
  test('are shown to staff, with the end of each certificate', async () => {
    const reader = await site.staff('ConfigAPI/ListConfig')
    await site.configure(
      Object.fromEntries(Object.entries(wechat.settings).map(([name, value]) => [`pay.${name}`, value])),
    )
    const { cert, message } = await reader.call(orders.wechatKeys)
    expect(message).toBe('')
    expect(new Set(cert.map(({ kind }) => kind))).toEqual(new Set(['public_key', 'certificate']))
    for (const { kind, expired_at } of cert)
      if (kind === 'certificate') expect(expired_at).toBeGreaterThan(Date.now())
      else expect(expired_at).toBeNull()
    const member = await site.member()
    expect(await refusal(member.call(orders.wechatKeys))).toMatchObject({ status: 403 })
  })

  test('are none while nothing is configured, and that is said', async () => {
    const other = await openSite()
    const { cert, message } = await other.root.call(orders.wechatKeys)
    expect(cert).toEqual([])
    expect(message).toMatch(/微信/)
    await other.close()
  })
})
