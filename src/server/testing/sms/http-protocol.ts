import { createHash, createHmac } from 'node:crypto'
import { templates } from './aliyun-protocol.ts'
import type { SmsProtocol } from './sms-server.ts'

const [account, secret] = ['haomas-test', 'http "secret"']
const windowMs = 5 * 60_000

interface Submission {
  account: string
  to: string
  text: string
  template: string
  sign: string
  at: string
  md5: string
  mac: string
}

/** An interface as an owner may describe one, with both kinds of signatures. */
export const httpProtocol: SmsProtocol = {
  settings: (url) => ({
    'sms.provider': 'haomas',
    'sms.endpoint': `${url}/submit?to={mobile}`,
    'sms.access_key': account,
    'sms.access_secret': secret,
    'sms.sign_name': '文豆"（测试）',
    'sms.http_method': 'POST',
    'sms.http_content_type': 'json',
    'sms.http_body':
      '{"account":"{account}","to":"{mobile}","text":"{code}","template":"{template}","sign":"{sign}","at":"{timestamp}",' +
      '"md5":"{md5:{account}{secret}{timestamp}}","mac":"{hmacsha256:{mobile}|{code}|{timestamp}}"}',
    'sms.http_success_pointer': '/result/code',
    'sms.http_success_value': '0',
    'sms.http_success_pattern': '"message":"accepted"',
    'sms.http_allow_private': 'true',
    ...templates,
  }),
  findForgery({ target, body }, { now }) {
    const { account: from, to, text, at, md5, mac } = JSON.parse(body) as Submission
    if (from !== account) return 'unknown account'
    if (createHash('md5').update(`${account}${secret}${at}`).digest('hex') !== md5) return 'wrong md5'
    if (createHmac('sha256', secret).update(`${to}|${text}|${at}`).digest('hex') !== mac) return 'wrong mac'
    if (target !== `/submit?to=${to}`) return 'wrong address'
    return Math.abs(Number(at) * 1000 - now) > windowMs ? 'too old' : undefined
  },
  readMessage({ body }) {
    const { to, text, template, sign } = JSON.parse(body) as Submission
    return { mobile: to, template, sign, params: { code: text } }
  },
  accepted: () => ({ status: 200, body: { result: { code: 0, message: 'accepted' } } }),
  refused: (reason) => ({ status: 200, body: { result: { code: 9, message: reason } } }),
}
