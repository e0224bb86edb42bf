import type { KeyObject } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import { PayProviderError } from '../pay-provider.ts'
import { parsePrivateKey, parsePublicKey } from '../rsa-keys.ts'

/** The settings of WeChat Pay, as they are used: keys are parsed, and nothing is missing. */
export interface Credentials {
  merchant: string
  appId: string
  /** Serial number of the merchant's certificate, upper case. */
  serial: string
  privateKey: KeyObject
  /** Of 32 bytes: decrypts notices and platform certificates. */
  apiKey: Buffer
  /** Undefined if answers and notices are verified by platform certificates alone. */
  publicKey: { id: string; key: KeyObject } | undefined
  usesCertificates: boolean
  /** Without a slash at its end. */
  gateway: string
}

const officialGateway = 'https://api.mch.weixin.qq.com'

/** Throws a `PayProviderError` that tells the owner what to enter. */
export function readCredentials(settings: Settings['pay']): Credentials {
  const { wechat_mode: mode } = settings
  const serial = settings.wechat_serial.replaceAll(/[\s:]/g, '').toUpperCase()
  if (!/^[0-9A-F]{16,40}$/.test(serial)) throw notConfigured('商户 API 证书序列号应是 40 位十六进制数')
  const apiKey = Buffer.from(settings.wechat_api_key.trim())
  if (apiKey.length !== 32) throw notConfigured(`APIv3 密钥应是 32 个字符，现在是 ${apiKey.length} 个`)
  return {
    merchant: matching(settings.wechat_mch_id, /^\d{6,32}$/, '商户号应是数字'),
    appId: matching(settings.wechat_app_id, /^[\w-]{1,32}$/, 'AppID 没有填写或不对'),
    serial,
    privateKey: readPrivateKey(settings.wechat_private_key),
    apiKey,
    publicKey: mode === 'certificate' ? undefined : readPublicKey(settings),
    usesCertificates: mode !== 'public_key',
    gateway: (settings.wechat_gateway.trim() || officialGateway).replace(/\/+$/, ''),
  }
}

function readPrivateKey(text: string): KeyObject {
  const key = parsePrivateKey(text)
  if (key) return key
  throw notConfigured('商户 API 私钥读不出来，请粘贴 apiclient_key.pem 的全部内容')
}

function readPublicKey(settings: Settings['pay']): { id: string; key: KeyObject } {
  const id = matching(
    settings.wechat_public_key_id,
    /^PUB_KEY_ID_\w+$/,
    '微信支付公钥 ID 应以 PUB_KEY_ID_ 开头，在商户平台“API 安全”中可以找到',
  )
  const text = settings.wechat_public_key
  if (/CERTIFICATE|PRIVATE/.test(text)) {
    throw notConfigured('微信支付公钥填成了证书或私钥，请粘贴 pub_key.pem 的全部内容')
  }
  const key = parsePublicKey(text)
  if (key) return { id, key }
  throw notConfigured('微信支付公钥读不出来，请粘贴 pub_key.pem 的全部内容')
}

function matching(value: string, pattern: RegExp, complaint: string): string {
  const text = value.trim()
  if (!pattern.test(text)) throw notConfigured(complaint)
  return text
}

function notConfigured(complaint: string): PayProviderError {
  return new PayProviderError('not-configured', `微信支付：${complaint}`)
}
