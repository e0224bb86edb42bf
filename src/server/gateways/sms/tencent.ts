import type { Settings } from '#shared/settings.ts'
import { canonicalRequest, hmacSha256, sha256Hex, type SignedRequest, signedNames } from './canonical.ts'
import { deliver, explain, isRecord, parseAnswer, unreadable } from './deliver.ts'
import { serviceAddress } from './service-address.ts'
import { refused, sent, type SmsDriver, type SmsEnvironment, type SmsOutcome } from './sms-driver.ts'
import { templateParams } from './template-params.ts'

const official = 'https://sms.tencentcloudapi.com'
const algorithm = 'TC3-HMAC-SHA256'

const advice: Record<string, string> = {
  'LimitExceeded.PhoneNumberDailyLimit': '同一号码今天发送过多，被腾讯云限制',
  'LimitExceeded.PhoneNumberThirtySecondLimit': '同一号码发送过于频繁，被腾讯云限制',
  'LimitExceeded.PhoneNumberOneHourLimit': '同一号码发送过于频繁，被腾讯云限制',
  'FailedOperation.SignatureIncorrectOrUnapproved': '短信签名不正确或未通过审核',
  'FailedOperation.TemplateIncorrectOrUnapproved': '短信模板不正确或未通过审核，或“模板变量”的个数不符',
  'FailedOperation.InsufficientBalanceInSmsPackage': '腾讯云短信套餐包余量不足',
  'InvalidParameterValue.IncorrectPhoneNumber': '手机号码不正确',
  'AuthFailure.SignatureExpire': '服务器的时间不准，与腾讯云相差超过 5 分钟',
  'AuthFailure.SignatureFailure': '访问密钥不正确',
  'AuthFailure.SecretIdNotFound': '访问密钥 ID 不存在',
}

export function tencentSms(sms: Settings['sms'], { now, timeoutMs }: SmsEnvironment): SmsDriver {
  return {
    async send(message) {
      const { url, allowsPrivate } = serviceAddress(sms.endpoint, official, '/')
      const body = JSON.stringify({
        PhoneNumberSet: [`+86${message.mobile}`],
        SmsSdkAppId: sms.app_id,
        TemplateId: message.template,
        SignName: sms.sign_name,
        // By position: as many as the template has.
        TemplateParamSet: templateParams(sms.template_params, message).map(([, value]) => value),
      })
      const signed = { 'content-type': 'application/json; charset=utf-8', host: url.host }
      const timestamp = Math.floor(now() / 1000)
      const request: SignedRequest = { method: 'POST', path: url.pathname, query: '', headers: signed, body }
      const headers = {
        ...signed,
        'x-tc-action': 'SendSms',
        'x-tc-version': '2021-01-11',
        'x-tc-region': sms.region,
        'x-tc-timestamp': String(timestamp),
        authorization: signTencent(request, {
          service: 'sms',
          timestamp,
          id: sms.access_key,
          secret: sms.access_secret,
        }),
      }
      return deliver(url, { method: 'POST', headers, body, allowsPrivate, timeoutMs }, (response) => {
        const answer = parseAnswer(response)?.Response
        return (isRecord(answer) && readAnswer(answer)) || unreadable(response)
      })
    },
  }
}

/** Each number has a status of its own, and a refusal of one is no error of the whole. */
function readAnswer({ Error: error, SendStatusSet: statuses }: Record<string, unknown>): SmsOutcome | undefined {
  if (isRecord(error)) return refused(explain(error.Code, error.Message, advice))
  const status: unknown = Array.isArray(statuses) ? statuses[0] : undefined
  if (!isRecord(status)) return undefined
  if (status.Code !== 'Ok') return refused(explain(status.Code, status.Message, advice))
  return sent(Number.isSafeInteger(status.Fee) ? Math.max(1, Number(status.Fee)) : 1)
}

interface TencentSigner {
  service: string
  /** Seconds. */
  timestamp: number
  id: string
  secret: string
}

export function signTencent(request: SignedRequest, { service, timestamp, id, secret }: TencentSigner): string {
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const toSign = [algorithm, timestamp, scope, sha256Hex(canonicalRequest(request))].join('\n')
  const key = [date, service, 'tc3_request'].reduce(
    (key: string | Buffer, part) => hmacSha256(key, part),
    `TC3${secret}`,
  )
  const signature = hmacSha256(key, toSign).toString('hex')
  return `${algorithm} Credential=${id}/${scope}, SignedHeaders=${signedNames(request.headers)}, Signature=${signature}`
}
