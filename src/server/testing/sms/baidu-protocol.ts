import { createHmac } from 'node:crypto'
import { templates } from './aliyun-protocol.ts'
import { percent, type SmsProtocol } from './sms-server.ts'

const [accessKey, secret] = ['baidu-test', 'baidu secret']

interface SendSms {
  mobile: string
  template: string
  signatureId: string
  contentVar: Record<string, string>
}

/** Sms v3 with bce-auth-v1. */
export const baiduProtocol: SmsProtocol = {
  settings: (url) => ({
    'sms.provider': 'baidu',
    'sms.endpoint': url,
    'sms.access_key': accessKey,
    'sms.access_secret': secret,
    'sms.sign_name': 'sms-sign-test',
    ...templates,
  }),
  findForgery({ method, target, headers }, { now }) {
    const [version, key, date = '', seconds = '', names = '', signature] = (headers.authorization ?? '').split('/')
    if (version !== 'bce-auth-v1' || key !== accessKey) return '6002'
    const signingKey = createHmac('sha256', secret).update(`${version}/${key}/${date}/${seconds}`).digest('hex')
    const signed = names.split(';')
    if (!signed.includes('host')) return '6002'
    const lines = signed.map((name) => `${percent(name)}:${percent(String(headers[name]).trim())}`).toSorted()
    const canonical = [method, target, '', ...lines].join('\n')
    if (createHmac('sha256', signingKey).update(canonical).digest('hex') !== signature) return '6002'
    const age = now - Date.parse(date)
    return age > Number(seconds) * 1000 || age < -15 * 60_000 || headers['x-bce-date'] !== date ? '6002' : undefined
  },
  readMessage({ target, body }) {
    if (target !== '/api/v3/sendSms') throw new Error('wrong path')
    const { mobile, template, signatureId, contentVar } = JSON.parse(body) as SendSms
    return { mobile, template, sign: signatureId, params: contentVar }
  },
  accepted: ({ mobile }) => ({
    status: 200,
    body: { requestId: 'A', code: '1000', message: '成功', data: [{ code: '1000', message: '成功', mobile }] },
  }),
  refused: (reason) => ({
    status: reason === '6002' ? 401 : 200,
    body: { requestId: 'A', code: reason, message: reason },
  }),
}
