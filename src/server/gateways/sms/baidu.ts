import type { Settings } from '#shared/settings.ts'
import { encode, hmacSha256 } from './canonical.ts'
import { deliver, explain, parseAnswer, text, unreadable } from './deliver.ts'
import { serviceAddress } from './service-address.ts'
import { refused, sent, type SmsDriver, type SmsEnvironment } from './sms-driver.ts'
import { templateParams } from './template-params.ts'

const official = 'https://smsv3.bj.baidubce.com'
const accepted = '1000'
const lifeSeconds = 1800

const advice: Record<string, string> = { '6002': '访问密钥不正确，或服务器的时间不准' }

export function baiduSms(sms: Settings['sms'], { now, timeoutMs }: SmsEnvironment): SmsDriver {
  return {
    async send(message) {
      const { url, allowsPrivate } = serviceAddress(sms.endpoint, official, '/api/v3/sendSms')
      const body = JSON.stringify({
        mobile: message.mobile,
        template: message.template,
        signatureId: sms.sign_name,
        contentVar: Object.fromEntries(templateParams(sms.template_params, message)),
      })
      const date = new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z')
      const signed = { host: url.host, 'x-bce-date': date }
      const authorization = signBaidu(
        { method: 'POST', path: url.pathname, query: '', headers: signed },
        { accessKey: sms.access_key, secret: sms.access_secret, date },
      )
      const headers = { ...signed, 'content-type': 'application/json', authorization }
      return deliver(url, { method: 'POST', headers, body, allowsPrivate, timeoutMs }, (response) => {
        const answer = parseAnswer(response)
        const code = text(answer?.code)
        if (!answer || code === '') return unreadable(response)
        return code === accepted ? sent() : refused(explain(code, answer.message, advice))
      })
    },
  }
}

interface BaiduRequest {
  method: 'POST' | 'PUT'
  path: string
  /** Encoded and sorted. */
  query: string
  headers: Record<string, string>
}

interface BaiduSigner {
  accessKey: string
  secret: string
  date: string
}

export function signBaidu(request: BaiduRequest, { accessKey, secret, date }: BaiduSigner): string {
  const prefix = `bce-auth-v1/${accessKey}/${date}/${lifeSeconds}`
  // The key of the second step is the hexadecimal text, not the bytes.
  const signingKey = hmacSha256(secret, prefix).toString('hex')
  const names = Object.keys(request.headers).toSorted()
  const lines = names.map((name) => `${encode(name)}:${encode((request.headers[name] ?? '').trim())}`)
  const path = request.path.split('/').map(encode).join('/')
  const canonical = [request.method, path, request.query, ...lines.toSorted()].join('\n')
  return `${prefix}/${names.join(';')}/${hmacSha256(signingKey, canonical).toString('hex')}`
}
