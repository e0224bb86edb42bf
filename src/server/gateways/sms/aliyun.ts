import type { Settings } from '#shared/settings.ts'
import {
  canonicalQuery,
  canonicalRequest,
  hmacSha256,
  sha256Hex,
  type SignedRequest,
  signedNames,
} from './canonical.ts'
import { deliver, explain, parseAnswer, text, unreadable } from './deliver.ts'
import { serviceAddress } from './service-address.ts'
import { refused, sent, type SmsDriver, type SmsEnvironment } from './sms-driver.ts'
import { templateParams } from './template-params.ts'

const official = 'https://dysmsapi.aliyuncs.com'
const algorithm = 'ACS3-HMAC-SHA256'

const advice: Record<string, string> = {
  'isv.BUSINESS_LIMIT_CONTROL': '同一号码发送过于频繁，被阿里云限制',
  'isv.SMS_SIGNATURE_ILLEGAL': '短信签名不存在或未通过审核',
  'isv.SMS_TEMPLATE_ILLEGAL': '短信模板不存在或未通过审核',
  'isv.TEMPLATE_MISSING_PARAMETERS': '模板变量与模板不符，请检查“模板变量”',
  'isv.MOBILE_NUMBER_ILLEGAL': '手机号码不正确',
  'isv.AMOUNT_NOT_ENOUGH': '阿里云账户余额不足',
  'isv.OUT_OF_SERVICE': '阿里云短信服务已停用，请检查账户',
  SignatureDoesNotMatch: '访问密钥不正确',
  'InvalidAccessKeyId.NotFound': '访问密钥 ID 不存在',
}

export function aliyunSms(sms: Settings['sms'], { now, nonce, timeoutMs }: SmsEnvironment): SmsDriver {
  return {
    async send(message) {
      const { url, allowsPrivate } = serviceAddress(sms.endpoint, official, '/')
      const params = Object.fromEntries(templateParams(sms.template_params, message))
      const query = canonicalQuery(
        Object.entries({
          PhoneNumbers: message.mobile,
          SignName: sms.sign_name,
          TemplateCode: message.template,
          TemplateParam: JSON.stringify(params),
        }),
      )
      const headers = {
        host: url.host,
        'x-acs-action': 'SendSms',
        'x-acs-version': '2017-05-25',
        'x-acs-date': new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        'x-acs-signature-nonce': nonce(),
        'x-acs-content-sha256': sha256Hex(''),
      }
      const request: SignedRequest = { method: 'POST', path: url.pathname, query, headers, body: '' }
      const authorization = signAliyun(request, sms.access_key, sms.access_secret)
      url.search = query
      return deliver(
        url,
        { method: 'POST', headers: { ...headers, authorization }, body: '', allowsPrivate, timeoutMs },
        (response) => {
          const answer = parseAnswer(response)
          if (!answer || text(answer.Code) === '') return unreadable(response)
          // Refusals have the status 200 as well.
          return answer.Code === 'OK' ? sent() : refused(explain(answer.Code, answer.Message, advice))
        },
      )
    },
  }
}

export function signAliyun(request: SignedRequest, accessKey: string, secret: string): string {
  const toSign = `${algorithm}\n${sha256Hex(canonicalRequest(request))}`
  const signature = hmacSha256(secret, toSign).toString('hex')
  return `${algorithm} Credential=${accessKey},SignedHeaders=${signedNames(request.headers)},Signature=${signature}`
}
