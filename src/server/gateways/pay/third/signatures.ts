import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { timingSafeEqualText } from '#server/keys.ts'
import type { Fields } from './fields.ts'

/** Signatures of the gateways cover the same text: the fields that are not empty, in the order of their names. */
export function signedText(fields: Fields): string {
  const names = Object.keys(fields).filter((name) => fields[name] !== '' && !unsigned.has(name))
  return names
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
}

const unsigned = new Set(['sign', 'sign_type', 'hash'])

/** The key follows the text without a separator. */
export function md5Signature(fields: Fields, key: string): string {
  return createHash('md5')
    .update(signedText(fields) + key)
    .digest('hex')
}

export function isMd5Signature(signature: string | undefined, fields: Fields, key: string): boolean {
  return timingSafeEqualText((signature ?? '').toLowerCase(), md5Signature(fields, key))
}

export function rsaSignature(fields: Fields, key: KeyObject): string {
  return sign('sha256', Buffer.from(signedText(fields)), key).toString('base64')
}

export function isRsaSignature(signature: string | undefined, fields: Fields, key: KeyObject): boolean {
  return verify('sha256', Buffer.from(signedText(fields)), key, Buffer.from(signature ?? '', 'base64'))
}
