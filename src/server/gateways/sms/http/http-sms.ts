import type { Settings } from '#shared/settings.ts'
import { deliver } from '../deliver.ts'
import { refused, sent, type SmsDriver, type SmsEnvironment, type SmsMessage } from '../sms-driver.ts'
import { fillIn, type PlaceholderValues } from './placeholders.ts'
import { isAccepted } from './success.ts'

const escapes: Record<string, (value: string) => string> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
}

const contentTypes: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
}

/** A provider that the owner describes: address, body and signature with placeholders, and what an accepted message is. */
export function httpSms(sms: Settings['sms'], { now, timeoutMs }: SmsEnvironment): SmsDriver {
  return {
    async send(message) {
      if (!sms.endpoint) return refused('没有填写接口地址')
      const values = valuesOf(sms, message, now())
      const address = fillIn(sms.endpoint, values, encodeURIComponent)
      const isGet = sms.http_method === 'GET'
      const type = sms.http_content_type
      const request = isGet
        ? { method: 'GET' as const }
        : {
            method: 'POST' as const,
            headers: { 'content-type': contentTypes[type] ?? 'text/plain; charset=utf-8' },
            body: fillIn(sms.http_body, values, escapes[type] ?? String),
          }
      return deliver(address, { ...request, allowsPrivate: sms.http_allow_private, timeoutMs }, (response) => {
        if (isAccepted(sms, response)) return sent()
        const reason = describeAnswer(response.status, withoutSecrets(response.body.toString('utf8'), values))
        return response.status >= 500 ? { kind: 'unknown', reason } : refused(reason)
      })
    },
  }
}

function valuesOf(sms: Settings['sms'], { mobile, code, minutes, template }: SmsMessage, now: number) {
  const values: PlaceholderValues = {
    mobile,
    code,
    minutes: String(minutes),
    template: '',
    sign: sms.sign_name,
    account: sms.access_key,
    secret: sms.access_secret,
    timestamp: String(Math.floor(now / 1000)),
  }
  // A template may be the text of the message itself.
  return { ...values, template: fillIn(template, { ...values, secret: '' }, String) }
}

/** A server that repeats what it was sent must not write it into our records. */
function withoutSecrets(answer: string, { code, secret }: PlaceholderValues): string {
  return [code, secret].filter(Boolean).reduce((text, hidden) => text.replaceAll(hidden, '***'), answer)
}

function describeAnswer(status: number, text: string): string {
  return `回答不符合“发送成功”的条件（HTTP ${status}）：${text.replace(/\s+/g, ' ').slice(0, 200)}`
}
