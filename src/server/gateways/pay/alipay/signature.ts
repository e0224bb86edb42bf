import { type KeyObject, sign, verify } from 'node:crypto'

/** Sorted `key=value` pairs with the values as they are, not percent-encoded: what requests and notices are signed over. */
export function textToSign(parameters: Iterable<[string, string]>): string {
  return [...parameters]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join('&')
}

/** RSA2: RSA PKCS#1 v1.5 with SHA-256, in base64. */
export function signText(text: string, privateKey: KeyObject): string {
  return sign('sha256', Buffer.from(text), privateKey).toString('base64')
}

export function isSignedBy(publicKey: KeyObject, text: string, signature: string): boolean {
  return verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
}
