import { randomBytes, randomUUID, type KeyObject } from 'node:crypto'
import type { NoticeFault } from '../pay-simulator.ts'
import { encrypt, signMessage, type PlatformKeys, type SigningKey } from './keys.ts'
import { beijing } from './ledger.ts'

interface Parcel {
  event: string
  type: string
  url: string
  content: object
}

/** Sends a notice as WeChat does: encrypted, then signed. */
export async function sendNotice(
  { event, type, url, content }: Parcel,
  { keys, key, now, fault }: { keys: PlatformKeys; key: SigningKey; now: number; fault: NoticeFault | undefined },
): Promise<{ status: number; body: string }> {
  const apiKey = fault === 'wrong-api-key' ? randomBytes(16).toString('hex') : keys.apiKey
  const text = JSON.stringify({
    id: randomUUID(),
    create_time: beijing(now, 'T', '+08:00'),
    event_type: event,
    resource_type: 'encrypt-resource',
    summary: '支付成功 / 退款成功',
    resource: { original_type: type, ...encrypt(JSON.stringify(content), apiKey, type) },
  })
  const message = {
    timestamp: String(Math.floor(now / 1000) - (fault === 'old-timestamp' ? 301 : 0)),
    nonce: randomBytes(16).toString('hex'),
    body: text,
  }
  const signature = fault === 'probe' ? `WECHATPAY/SIGNTEST/${randomBytes(200).toString('base64')}` : undefined
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/4.0',
      'wechatpay-timestamp': message.timestamp,
      'wechatpay-nonce': message.nonce,
      'wechatpay-serial': fault === 'unknown-serial' ? strange(key.serial) : key.serial,
      'wechatpay-signature': signature ?? signMessage(signingKey(keys, key, fault), message),
      'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
    },
    body: damage(text, fault),
  })
  return { status: response.status, body: await response.text() }
}

function signingKey(keys: PlatformKeys, key: SigningKey, fault: NoticeFault | undefined): KeyObject {
  return fault === 'wrong-key' || fault === 'unknown-serial' ? keys.foreignKey : key.privateKey
}

/** Another serial of the same kind. */
function strange(serial: string): string {
  return serial.startsWith('PUB_KEY_ID_') ? 'PUB_KEY_ID_99999999999999999999999999999999' : 'F'.repeat(40)
}

function damage(text: string, fault: NoticeFault | undefined): string {
  if (fault === 'byte-changed') return text.replace('支付成功', '支付成切')
  if (fault === 'duplicate-keys') return text.replace('{', '{"id":"twice",')
  return text
}
