import type { Settings } from '#shared/settings.ts'
import { canonicalRequest, hmacSha256, sha256Hex, type SignedRequest, signedNames } from './canonical.ts'
import { deliver, explain, isRecord, parseAnswer, text, unreadable } from './deliver.ts'
import { serviceAddress } from './service-address.ts'
import { refused, sent, type SmsDriver, type SmsEnvironment } from './sms-driver.ts'
import { templateParams } from './template-params.ts'

const official = 'https://smsapi.cn-north-4.myhuaweicloud.com:443'
const algorithm = 'SDK-HMAC-SHA256'
const accepted = '000000'
/** Look at the status of each number. */
const partlyRefused = 'E000510'

const advice: Record<string, string> = {
  E000101: '鉴权信息不完整',
  E000102: 'APP_Key 不正确',
  E000103: 'APP_Key 不可用',
  E000104: 'APP_Secret 不正确',
  E000105: '签名不正确，请检查 APP_Secret 和接入地址',
  E000110: '服务器的时间不准，与华为云相差过大',
  E000503: '参数格式不正确，请检查通道号和模板',
  E200028: '模板变量与模板不符，请检查“模板变量”',
}

export function huaweiSms(sms: Settings['sms'], { now, timeoutMs }: SmsEnvironment): SmsDriver {
  return {
    async send(message) {
      const { url, allowsPrivate } = serviceAddress(sms.endpoint, official, '/sms/batchSendSms/v1')
      const params = templateParams(sms.template_params, message).map(([, value]) => value)
      const body = new URLSearchParams({
        from: sms.from,
        to: `+86${message.mobile}`,
        templateId: message.template,
        templateParas: JSON.stringify(params),
        // Only templates without a signature of their own need it.
        ...(sms.sign_name && { signature: sms.sign_name }),
      }).toString()
      const date = new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')
      const headers = { 'content-type': 'application/x-www-form-urlencoded', host: url.host, 'x-sdk-date': date }
      const request: SignedRequest = { method: 'POST', path: url.pathname, query: '', headers, body }
      const authorization = signHuawei(request, sms.access_key, sms.access_secret)
      return deliver(
        url,
        { method: 'POST', headers: { ...headers, authorization }, body, allowsPrivate, timeoutMs },
        (response) => {
          const answer = parseAnswer(response)
          const code = text(answer?.code)
          if (!answer || code === '') return unreadable(response)
          const [result]: unknown[] = Array.isArray(answer.result) ? answer.result : []
          const status = isRecord(result) ? text(result.status) : ''
          if (code === accepted && (status === '' || status === accepted)) return sent()
          const isPartly = code === partlyRefused || code === accepted
          return refused(explain(isPartly && status ? status : code, answer.description, advice))
        },
      )
    },
  }
}

export function signHuawei(request: SignedRequest, key: string, secret: string): string {
  const toSign = [algorithm, request.headers['x-sdk-date'], hashForHuawei(request)].join('\n')
  const signature = hmacSha256(secret, toSign).toString('hex')
  return `${algorithm} Access=${key}, SignedHeaders=${signedNames(request.headers)}, Signature=${signature}`
}

/** The signed path ends with a slash, whether or not the requested one does. */
export function hashForHuawei(request: SignedRequest): string {
  return sha256Hex(canonicalRequest({ ...request, path: request.path.replace(/\/?$/, '/') }))
}
