import { createVerify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { PlatformKeys } from './keys.ts'

export interface WeChatRequest {
  method: string
  /** Path and query as they came. */
  target: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

/** An answer that is not what was asked for. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  /** Whether the request itself was wrong, rather than what it asked for. */
  readonly isComplaint: boolean

  constructor(status: number, code: string, message: string, isComplaint = false) {
    super(message)
    this.status = status
    this.code = code
    this.isComplaint = isComplaint
  }
}

interface Verifier {
  keys: PlatformKeys
  merchant: string
  seenNonces: Set<string>
  now(): number
}

const authorizationPattern = /^WECHATPAY2-SHA256-RSA2048 (.+)$/
const fieldNames = ['mchid', 'nonce_str', 'serial_no', 'signature', 'timestamp']

/** As WeChat does it: nothing of the product's own code takes part. */
export function verifyRequest({ keys, merchant, seenNonces, now }: Verifier, request: WeChatRequest): void {
  const { method, target, headers, body } = request
  if (!headers['user-agent']) throw new Refusal(403, 'NO_AUTH', 'HTTP头缺少User-Agent', true)
  if (headers.accept !== 'application/json') throw new Refusal(406, 'PARAM_ERROR', 'HTTP头Accept有误', true)
  if (body !== '' && headers['content-type'] !== 'application/json') {
    throw new Refusal(415, 'PARAM_ERROR', 'HTTP头Content-Type有误', true)
  }
  const fields = readAuthorization(headers.authorization ?? '')
  const { mchid, nonce_str: nonce = '', serial_no: serial, signature = '', timestamp = '' } = fields
  if (Object.keys(fields).toSorted().join() !== fieldNames.join()) throw signError('Authorization的字段不完整')
  if (mchid !== merchant) throw signError('商户号有误')
  if (serial !== keys.merchant.serial) throw signError('商户证书序列号有误。请使用签名私钥匹配的证书序列号')
  if (!/^\d+$/.test(timestamp) || Math.abs(now() - Number(timestamp) * 1000) > 300_000) {
    throw signError('Authorization中的timestamp与发起请求的时间不得超过5分钟')
  }
  if (nonce === '' || nonce.length > 32 || seenNonces.has(nonce)) throw signError('随机串有误或重复')
  seenNonces.add(nonce)
  const message = `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`
  const isRight = createVerify('RSA-SHA256').update(message).verify(keys.merchant.publicKey, signature, 'base64')
  if (!isRight) throw signError('签名错误，请检查后再试')
}

function readAuthorization(header: string): Record<string, string> {
  const list = authorizationPattern.exec(header)?.[1]
  if (list === undefined) throw signError('Authorization不合法')
  return Object.fromEntries(
    list.split(',').map((field) => {
      const match = /^([a-z_]+)="([^"]*)"$/.exec(field)
      if (!match) throw signError('Authorization不合法')
      return [match[1] ?? '', match[2] ?? '']
    }),
  )
}

function signError(message: string): Refusal {
  return new Refusal(401, 'SIGN_ERROR', message, true)
}

/** What a field of a body may be: a check of its value, or the fields of an object; a question mark means optional. */
export interface Fields {
  [name: string]: ((value: unknown) => boolean) | Fields
}

export const isText = (maxLength: number) => (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length <= maxLength
export const isNumber = (value: unknown) => typeof value === 'string' && /^[0-9A-Za-z_\-|*]{6,32}$/.test(value)
export const isFen = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1
export const isExactly = (expected: string) => (value: unknown) => value === expected
/** Public, without a query; a test's own server is let through. */
export const isNotifyUrl = (value: unknown) =>
  typeof value === 'string' && /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/)[^?#\s]*$/.test(value)
export const isBeijingTime = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/.test(value) && !Number.isNaN(Date.parse(value))

/** Known fields only, each as it must be. */
export function checkFields(body: unknown, fields: Fields, path = ''): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw paramError(path || '请求体')
  const known = new Map(Object.entries(fields).map(([name, check]) => [name.replace('?', ''), { name, check }]))
  for (const name of Object.keys(body)) if (!known.has(name)) throw paramError(`${path}${name}`)
  const values = new Map(Object.entries(body))
  for (const [name, { name: declared, check }] of known) {
    const value: unknown = values.get(name)
    if (value === undefined && declared.endsWith('?')) continue
    if (typeof check === 'object') checkFields(value, check, `${path}${name}.`)
    else if (!check(value)) throw paramError(`${path}${name}`)
  }
}

function paramError(field: string): Refusal {
  return new Refusal(400, 'PARAM_ERROR', `参数错误：${field}`, true)
}
