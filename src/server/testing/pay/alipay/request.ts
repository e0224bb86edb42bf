import { createPublicKey, verify } from 'node:crypto'
import * as z from 'zod/mini'
import { appId, applicationCertificateNumber, applicationKey, rootCertificateNumber } from './identities.ts'

export interface AlipayRequest {
  method: string
  content: Record<string, string>
  notifyUrl: string
  returnUrl: string
}

export class Refused extends Error {
  readonly code: string
  readonly subCode: string

  constructor(code: string, subCode: string, message = subCode) {
    super(message)
    this.code = code
    this.subCode = subCode
  }
}

const paying = ['out_trade_no', 'total_amount', 'subject', 'product_code', 'time_expire']
/** What each method must be given, and may be given. */
const methods: Record<string, { required: string[]; optional?: string[]; product?: string }> = {
  'alipay.trade.page.pay': { required: paying, optional: ['qr_pay_mode'], product: 'FAST_INSTANT_TRADE_PAY' },
  'alipay.trade.wap.pay': { required: [...paying, 'quit_url'], product: 'QUICK_WAP_WAY' },
  'alipay.trade.precreate': { required: paying, product: 'FACE_TO_FACE_PAYMENT' },
  'alipay.trade.query': { required: ['out_trade_no'] },
  'alipay.trade.close': { required: ['out_trade_no'] },
  'alipay.trade.refund': {
    required: ['out_trade_no', 'refund_amount', 'out_request_no'],
    optional: ['refund_reason'],
  },
  'alipay.trade.fastpay.refund.query': { required: ['out_trade_no', 'out_request_no'] },
  'alipay.data.dataservice.bill.downloadurl.query': { required: ['bill_type', 'bill_date'] },
}
const fixed = { format: 'JSON', charset: 'utf-8', sign_type: 'RSA2', version: '1.0' }
const known = new Set(
  ['app_id', 'method', 'timestamp', 'notify_url', 'return_url', 'biz_content', 'sign'].concat(Object.keys(fixed)),
)
const certificates = { app_cert_sn: applicationCertificateNumber, alipay_root_cert_sn: rootCertificateNumber }
const maxClockDifferenceMs = 15 * 60_000

/** Checks a request as Alipay does. Throws `Refused`. */
export function checkRequest(form: URLSearchParams, { hasCertificates }: { hasCertificates: boolean }): AlipayRequest {
  const parameters = new Map<string, string>()
  for (const [key, value] of form) {
    if (parameters.has(key)) throw new Refused('40002', 'isv.invalid-parameter', `${key} is there twice`)
    if (value === '') throw new Refused('40002', 'isv.invalid-parameter', `${key} is empty`)
    parameters.set(key, value)
  }
  const parameter = (key: string) => parameters.get(key) ?? ''
  const expected = { ...fixed, ...(hasCertificates ? certificates : {}) }
  for (const key of parameters.keys()) {
    if (!known.has(key) && !Object.hasOwn(expected, key))
      throw new Refused('40002', 'isv.invalid-parameter', `${key} is not known`)
  }
  if (parameter('app_id') !== appId) throw new Refused('40002', 'isv.invalid-app-id')
  for (const [key, value] of Object.entries(expected)) {
    if (parameter(key) !== value) throw new Refused('40002', `isv.invalid-${key.replaceAll('_', '-')}`)
  }
  assertSigned(parameters)
  assertTime(parameter('timestamp'), parameter('method'))
  return {
    method: parameter('method'),
    content: readContent(parameter('method'), parameter('biz_content')),
    notifyUrl: parameter('notify_url'),
    returnUrl: parameter('return_url'),
  }
}

/** By `node:crypto` alone, so that a mistake in the product's own code is not repeated here. */
function assertSigned(parameters: Map<string, string>): void {
  const signed = Buffer.from(
    [...parameters.keys()]
      .filter((key) => key !== 'sign')
      .toSorted()
      .map((key) => `${key}=${parameters.get(key)}`)
      .join('&'),
    'utf8',
  )
  const key = createPublicKey(applicationKey)
  const signature = Buffer.from(parameters.get('sign') ?? '', 'base64')
  if (!verify('RSA-SHA256', signed, key, signature)) throw new Refused('40002', 'isv.invalid-signature')
}

/** Beijing's time. A page may be opened a while after its address was made. */
function assertTime(timestamp: string, method: string): void {
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(timestamp) ? Date.parse(`${timestamp}+08:00`) : Number.NaN
  const isNear = Math.abs(at - Date.now()) < maxClockDifferenceMs
  if (Number.isNaN(at) || (!isNear && !method.endsWith('.pay'))) throw new Refused('40002', 'isv.invalid-timestamp')
}

function readContent(method: string, json: string): Record<string, string> {
  const rules = methods[method]
  if (!rules) throw new Refused('40001', 'isv.missing-method', `${method} is not known`)
  const content = z.parse(z.record(z.string(), z.string()), JSON.parse(json))
  for (const key of rules.required) if (!content[key]) throw invalid(`${method} without ${key}`)
  for (const key of Object.keys(content)) {
    if (!rules.required.includes(key) && !rules.optional?.includes(key)) throw invalid(`${method} with ${key}`)
  }
  const { total_amount: amount, subject = '', time_expire: expiry, product_code: product } = content
  if (product !== rules.product) throw invalid(`${method} with ${product}`)
  if (amount && (!/^\d+\.\d\d$/.test(amount) || Number(amount) <= 0)) throw invalid(`an amount of ${amount}`)
  if (subject.length > 256 || /[/=&\n]/.test(subject)) throw invalid(`a subject of ${subject}`)
  if (expiry && !(Date.parse(`${expiry}+08:00`) > Date.now())) throw invalid(`it ends at ${expiry}`)
  return content
}

function invalid(message: string): Refused {
  return new Refused('40004', 'ACQ.INVALID_PARAMETER', message)
}
