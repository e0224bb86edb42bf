import { createSign, createVerify, type KeyObject } from 'node:crypto'
import type { Credentials } from './credentials.ts'

const scheme = 'WECHATPAY2-SHA256-RSA2048'

/** How far the clocks of WeChat and of this server may be apart. */
const windowMs = 300_000

type Signer = Pick<Credentials, 'merchant' | 'serial' | 'privateKey'>

interface SignedRequest {
  method: string
  /** Path and query exactly as they are sent. */
  target: string
  /** Exactly as it is sent; empty without one. */
  body: string
  now: number
  nonce: string
}

/** The header `Authorization` of a request. */
export function authorize({ merchant, serial, privateKey }: Signer, request: SignedRequest): string {
  const { method, target, body, nonce } = request
  const timestamp = toSeconds(request.now)
  const signature = sign(privateKey, [method, target, timestamp, nonce, body])
  const fields = { mchid: merchant, nonce_str: nonce, timestamp, serial_no: serial, signature }
  const quoted = Object.entries(fields).map(([name, value]) => `${name}="${value}"`)
  return `${scheme} ${quoted.join(',')}`
}

/** What WeChat's own browser, or a mini program, needs to begin a payment that was created. */
export function signClientCall(
  privateKey: KeyObject,
  { appId, prepayId, now, nonce }: { appId: string; prepayId: string; now: number; nonce: string },
): Record<string, string> {
  const timeStamp = toSeconds(now)
  const prepay = `prepay_id=${prepayId}`
  const paySign = sign(privateKey, [appId, timeStamp, nonce, prepay])
  return { timeStamp, nonceStr: nonce, package: prepay, signType: 'RSA', paySign }
}

/** What an answer or a notice says about its own signature. */
export interface SignatureHeaders {
  timestamp: string
  nonce: string
  signature: string
  serial: string
}

/** Undefined unless everything is there, and of the only kind that is accepted. */
export function readSignatureHeaders(headers: Headers): SignatureHeaders | undefined {
  const timestamp = headers.get('wechatpay-timestamp') ?? ''
  const nonce = headers.get('wechatpay-nonce') ?? ''
  const signature = headers.get('wechatpay-signature') ?? ''
  const serial = headers.get('wechatpay-serial') ?? ''
  const isAccepted = (headers.get('wechatpay-signature-type') ?? scheme) === scheme
  const isComplete = /^\d{1,12}$/.test(timestamp) && nonce !== '' && signature !== '' && serial !== ''
  return isAccepted && isComplete ? { timestamp, nonce, signature, serial } : undefined
}

export function isRecent({ timestamp }: SignatureHeaders, now: number): boolean {
  return Math.abs(now - Number(timestamp) * 1000) < windowMs
}

/** Over the raw bytes, before anything has parsed them. */
export function isGenuine(
  { timestamp, nonce, signature }: SignatureHeaders,
  body: Uint8Array,
  key: KeyObject,
): boolean {
  return createVerify('RSA-SHA256')
    .update(`${timestamp}\n${nonce}\n`)
    .update(body)
    .update('\n')
    .verify(key, signature, 'base64')
}

/** A clock that is further apart than that makes every signature wrong. */
export function isClockOff(date: string | null, now: number): boolean {
  const theirs = Date.parse(date ?? '')
  return Number.isFinite(theirs) && Math.abs(theirs - now) >= windowMs
}

function sign(key: KeyObject, lines: string[]): string {
  return createSign('RSA-SHA256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .sign(key, 'base64')
}

function toSeconds(now: number): string {
  return String(Math.floor(now / 1000))
}
