import type { KeyObject, X509Certificate } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import { PayProviderError } from '../pay-provider.ts'
import { certificateNumber, readCertificates, rootCertificateNumber } from './certificates.ts'
import { isPair, parsePrivateKey, parsePublicKey } from '../rsa-keys.ts'

type PaySettings = Settings['pay']

/** An application at Alipay, as the owner entered it. */
export interface AlipayAccount {
  appId: string
  gateway: URL
  privateKey: KeyObject
  /** Alipay's, by which answers and notices are verified. */
  publicKey: KeyObject
  /** What certificate mode adds to requests. */
  certificateNumbers: Record<string, string>
}

const defaultGateway = 'https://openapi.alipay.com/gateway.do'
const sandboxGateway = 'https://openapi-sandbox.dl.alipaydev.com/gateway.do'

/** Throws a `PayProviderError` that says which setting is wrong. */
export function readAccount(settings: PaySettings): AlipayAccount {
  const appId = settings.alipay_app_id.trim()
  if (!/^\d{16}$/.test(appId)) throw notConfigured('支付宝应用 ID 应是 16 位数字')
  const privateKey = parsePrivateKey(settings.alipay_private_key)
  if (!privateKey) throw notConfigured('应用私钥读不出来，请粘贴密钥工具生成的“应用私钥”的全部内容')
  const keys = settings.alipay_mode === 'certificate' ? certificateMode(settings, privateKey) : keyMode(settings)
  if (isPair(privateKey, keys.publicKey)) throw notConfigured(ownKeyPasted)
  return { appId, gateway: gatewayOf(settings), privateKey, ...keys }
}

type Keys = Pick<AlipayAccount, 'publicKey' | 'certificateNumbers'>

const ownKeyPasted =
  '填写的是应用自己的公钥。请在开放平台的“接口加签方式”里复制“支付宝公钥”（证书方式下载“支付宝公钥证书”）'

function keyMode(settings: PaySettings): Keys {
  const publicKey = parsePublicKey(settings.alipay_public_key)
  if (!publicKey) throw notConfigured('支付宝公钥读不出来，请从开放平台的“接口加签方式”里复制“支付宝公钥”')
  return { publicKey, certificateNumbers: {} }
}

function certificateMode(settings: PaySettings, privateKey: KeyObject): Keys {
  const application = onlyCertificate(settings.alipay_app_certificate, '应用公钥证书', 'appCertPublicKey.crt')
  const alipay = onlyCertificate(settings.alipay_certificate, '支付宝公钥证书', 'alipayCertPublicKey_RSA2.crt')
  if (!isPair(privateKey, application.publicKey)) throw notConfigured('应用公钥证书与应用私钥不是一对')
  const root = rootCertificateNumber(readCertificates(settings.alipay_root_certificate))
  if (!root) throw notConfigured('支付宝根证书读不出来，请粘贴 alipayRootCert.crt 的全部内容')
  return {
    publicKey: alipay.publicKey,
    certificateNumbers: { app_cert_sn: certificateNumber(application), alipay_root_cert_sn: root },
  }
}

function onlyCertificate(pem: string, name: string, file: string): X509Certificate {
  const [certificate] = readCertificates(pem)
  if (certificate?.publicKey.asymmetricKeyType === 'rsa') return certificate
  throw notConfigured(`${name}读不出来，请粘贴 ${file} 的全部内容`)
}

function gatewayOf(settings: PaySettings): URL {
  const address = settings.alipay_gateway || (settings.alipay_sandbox ? sandboxGateway : defaultGateway)
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw notConfigured('支付宝接口地址不是有效的网址')
  return url
}

function notConfigured(message: string): PayProviderError {
  return new PayProviderError('not-configured', message)
}
