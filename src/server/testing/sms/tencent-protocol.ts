import { createHash, createHmac } from 'node:crypto'
import { splitAtSpace, templates } from './aliyun-protocol.ts'
import { parseHeader, type SmsProtocol } from './sms-server.ts'

const [secretId, secretKey] = ['AKID-test', 'tencent secret']
const windowMs = 5 * 60_000

interface SendSms {
  PhoneNumberSet: string[]
  SmsSdkAppId: string
  TemplateId: string
  SignName: string
  TemplateParamSet: string[]
}

/** Sms 2021-01-11 with TC3 signatures. */
export const tencentProtocol: SmsProtocol = {
  settings: (url) => ({
    'sms.provider': 'tencent',
    'sms.endpoint': url,
    'sms.access_key': secretId,
    'sms.access_secret': secretKey,
    'sms.app_id': '1400006666',
    'sms.sign_name': '文豆（测试）',
    'sms.template_params': 'code,minutes',
    ...templates,
  }),
  findForgery({ method, target, headers, body }, { now }) {
    const [algorithm, rest] = splitAtSpace(headers.authorization ?? '')
    const { Credential = '', SignedHeaders = '', Signature } = parseHeader(rest, /, /)
    const [id, date = '', service = '', end] = Credential.split('/')
    if (algorithm !== 'TC3-HMAC-SHA256' || id !== secretId) return 'AuthFailure.SecretIdNotFound'
    if (service !== 'sms' || end !== 'tc3_request') return 'AuthFailure.SignatureFailure'
    const seconds = Number(headers['x-tc-timestamp'])
    if (new Date(seconds * 1000).toISOString().slice(0, 10) !== date) return 'AuthFailure.SignatureFailure'
    const names = SignedHeaders.split(';')
    if (!names.includes('host') || !names.includes('content-type')) return 'AuthFailure.SignatureFailure'
    const lines = names.map((name) => `${name}:${String(headers[name]).trim().toLowerCase()}`)
    const canonical = [method, target, '', ...lines, '', SignedHeaders, sha256(body)].join('\n')
    const toSign = ['TC3-HMAC-SHA256', seconds, `${date}/sms/tc3_request`, sha256(canonical)].join('\n')
    const dateKey = createHmac('sha256', `TC3${secretKey}`).update(date).digest()
    const serviceKey = createHmac('sha256', dateKey).update('sms').digest()
    const signingKey = createHmac('sha256', serviceKey).update('tc3_request').digest()
    if (createHmac('sha256', signingKey).update(toSign).digest('hex') !== Signature)
      return 'AuthFailure.SignatureFailure'
    return Math.abs(seconds * 1000 - now) > windowMs ? 'AuthFailure.SignatureExpire' : undefined
  },
  readMessage({ headers, body }) {
    if (headers['x-tc-action'] !== 'SendSms' || headers['x-tc-version'] !== '2021-01-11')
      throw new Error('wrong action')
    if (!headers['x-tc-region']) throw new Error('no region')
    const { PhoneNumberSet, SmsSdkAppId, TemplateId, SignName, TemplateParamSet } = JSON.parse(body) as SendSms
    if (SmsSdkAppId !== '1400006666') throw new Error('wrong app')
    const mobile = PhoneNumberSet[0]?.replace(/^\+86/, '') ?? ''
    return { mobile, template: TemplateId, sign: SignName, params: TemplateParamSet }
  },
  accepted: ({ mobile }) => ({
    status: 200,
    body: {
      Response: {
        SendStatusSet: [{ SerialNo: '1', PhoneNumber: `+86${mobile}`, Fee: 1, Code: 'Ok', Message: 'send success' }],
        RequestId: 'A',
      },
    },
  }),
  // The call succeeds, the number does not.
  refused: (reason) => ({
    status: 200,
    body: reason.startsWith('AuthFailure')
      ? { Response: { Error: { Code: reason, Message: reason }, RequestId: 'A' } }
      : { Response: { SendStatusSet: [{ SerialNo: '', Fee: 0, Code: reason, Message: reason }], RequestId: 'A' } },
  }),
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
