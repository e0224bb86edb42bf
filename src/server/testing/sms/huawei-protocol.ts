import { createHash, createHmac } from 'node:crypto'
import { splitAtSpace, templates } from './aliyun-protocol.ts'
import { parseHeader, type SmsProtocol } from './sms-server.ts'

const [appKey, appSecret] = ['huawei-test', 'huawei secret']
const windowMs = 15 * 60_000

/** Message & SMS with SDK-HMAC-SHA256. */
export const huaweiProtocol: SmsProtocol = {
  settings: (url) => ({
    'sms.provider': 'huawei',
    'sms.endpoint': url,
    'sms.access_key': appKey,
    'sms.access_secret': appSecret,
    'sms.from': '8823040504797',
    'sms.sign_name': '文豆（测试）',
    ...templates,
  }),
  findForgery({ method, target, headers, body }, { now }) {
    const [algorithm, rest] = splitAtSpace(headers.authorization ?? '')
    const { Access, SignedHeaders = '', Signature } = parseHeader(rest, /, /)
    if (algorithm !== 'SDK-HMAC-SHA256' || Access !== appKey) return 'E000102'
    const names = SignedHeaders.split(';')
    if (!['host', 'x-sdk-date'].every((name) => names.includes(name))) return 'E000105'
    const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
    const canonical = [method, `${target}/`, '', lines, SignedHeaders, sha256(body)].join('\n')
    const date = String(headers['x-sdk-date'])
    const toSign = ['SDK-HMAC-SHA256', date, sha256(canonical)].join('\n')
    if (createHmac('sha256', appSecret).update(toSign).digest('hex') !== Signature) return 'E000105'
    const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    return Math.abs(at - now) > windowMs ? 'E000110' : undefined
  },
  readMessage({ target, body }) {
    if (target !== '/sms/batchSendSms/v1') throw new Error('wrong path')
    const form = new URLSearchParams(body)
    if (form.get('from') !== '8823040504797') throw new Error('wrong channel')
    return {
      mobile: (form.get('to') ?? '').replace(/^\+86/, ''),
      template: form.get('templateId') ?? '',
      sign: form.get('signature') ?? '',
      params: JSON.parse(form.get('templateParas') ?? '[]') as string[],
    }
  },
  accepted: ({ mobile }) => ({
    status: 200,
    body: { code: '000000', description: 'Success', result: [{ originTo: `+86${mobile}`, status: '000000' }] },
  }),
  refused: (reason) =>
    reason.startsWith('E0001')
      ? { status: 401, body: { code: reason, description: reason } }
      : { status: 200, body: { code: 'E000510', description: reason, result: [{ status: 'E200027' }] } },
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
