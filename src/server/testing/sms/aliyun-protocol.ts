import { createHash, createHmac } from 'node:crypto'
import { parseHeader, percent, type SmsProtocol } from './sms-server.ts'

const [accessKey, secret] = ['LTAI-test', 'aliyun secret']
const windowMs = 15 * 60_000

/** Dysmsapi with signatures of version 3. */
export const aliyunProtocol: SmsProtocol = {
  settings: (url) => ({
    'sms.provider': 'aliyun',
    'sms.endpoint': url,
    'sms.access_key': accessKey,
    'sms.access_secret': secret,
    'sms.sign_name': "文豆（测试）!'()*",
    ...templates,
  }),
  findForgery({ method, target, headers, body }, { now, isNonceNew }) {
    const [algorithm, rest] = splitAtSpace(headers.authorization ?? '')
    const { Credential, SignedHeaders = '', Signature } = parseHeader(rest, /,/)
    if (algorithm !== 'ACS3-HMAC-SHA256' || Credential !== accessKey) return 'InvalidAccessKeyId.NotFound'
    const bodyHash = createHash('sha256').update(body).digest('hex')
    if (headers['x-acs-content-sha256'] !== bodyHash) return 'the hash of the body is wrong'
    const names = SignedHeaders.split(';')
    const needed = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-acs-'))
    if (needed.some((name) => !names.includes(name))) return 'a header is not signed'
    const [path = '', query = ''] = target.split('?')
    const pairs = query.split('&').map((pair) => pair.split('=').map((part) => percent(decodeURIComponent(part))))
    const sorted = pairs
      .map((pair) => pair.join('='))
      .toSorted()
      .join('&')
    const lines = names.toSorted().map((name) => `${name}:${String(headers[name]).trim()}\n`)
    const canonical = `${method}\n${path}\n${sorted}\n${lines.join('')}\n${SignedHeaders}\n${bodyHash}`
    const toSign = `ACS3-HMAC-SHA256\n${createHash('sha256').update(canonical).digest('hex')}`
    if (createHmac('sha256', secret).update(toSign).digest('hex') !== Signature) return 'SignatureDoesNotMatch'
    if (Math.abs(Date.parse(String(headers['x-acs-date'])) - now) > windowMs) return 'InvalidTimeStamp.Expired'
    return isNonceNew(String(headers['x-acs-signature-nonce'])) ? undefined : 'SignatureNonceUsed'
  },
  readMessage({ target, headers }) {
    const query = new URL(target, 'http://sms.example').searchParams
    if (headers['x-acs-action'] !== 'SendSms' || headers['x-acs-version'] !== '2017-05-25')
      throw new Error('wrong action')
    return {
      mobile: query.get('PhoneNumbers') ?? '',
      template: query.get('TemplateCode') ?? '',
      sign: query.get('SignName') ?? '',
      params: JSON.parse(query.get('TemplateParam') ?? '{}') as Record<string, string>,
    }
  },
  accepted: () => ({ status: 200, body: { Code: 'OK', Message: 'OK', BizId: '1^0', RequestId: 'A' } }),
  refused: (reason) => ({ status: 200, body: { Code: reason, Message: reason, RequestId: 'A' } }),
}

export const templates = {
  'sms.template_register': 'SMS_1',
  'sms.template_login': 'SMS_2',
  'sms.template_find_password': 'SMS_3',
  'sms.template_bind': 'SMS_4',
}

export function splitAtSpace(text: string): [string, string] {
  const at = text.indexOf(' ')
  return [text.slice(0, at), text.slice(at + 1)]
}
