import { createHash, createHmac } from 'node:crypto'

/** The parts that the signatures of cloud providers have in common. */

export function sha256Hex(data: string): string {
  return createHash('sha256').update(data).digest('hex')
}

export function hmacSha256(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

/** RFC 3986: what `encodeURIComponent` leaves alone is encoded too. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function canonicalQuery(parameters: Iterable<readonly [string, string]>): string {
  return [...parameters]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
}

export interface SignedRequest {
  method: 'GET' | 'POST'
  path: string
  /** Encoded and sorted. */
  query: string
  /** Those that are signed, with names in lower case. */
  headers: Record<string, string>
  body: string
}

/** As AWS had it first: method, path, query, headers, their names, hash of the body. */
export function canonicalRequest({ method, path, query, headers, body }: SignedRequest): string {
  const lines = sortedNames(headers).map((name) => `${name}:${headers[name]?.trim()}\n`)
  return [method, path, query, lines.join(''), signedNames(headers), sha256Hex(body)].join('\n')
}

export function signedNames(headers: Record<string, string>): string {
  return sortedNames(headers).join(';')
}

function sortedNames(headers: Record<string, string>): string[] {
  return Object.keys(headers).toSorted()
}
