import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const accessKeyId = 'WENDOUTESTKEY'
export const secretAccessKey = 'secret/of+the test@store'

/** Checks AWS Signature Version 4; gives the error code, or undefined when it is right. */
export function verifySignature(request: IncomingMessage): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!given) return 'AccessDenied'

  const [, key, scope = '', names = '', signature = ''] = given
  if (key !== accessKeyId) return 'InvalidAccessKeyId'

  const moment = header(request, 'x-amz-date')
  const document = sha256(canonical(request, names.split(';')))
  const text = ['AWS4-HMAC-SHA256', moment, scope, document].join('\n')
  const expected = hmac(signingKey(scope), text)
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

function canonical(request: IncomingMessage, names: string[]): string {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const pairs = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
  const headers = names.map((name) => `${name}:${header(request, name).trim().replace(/ +/g, ' ')}\n`)
  return [
    request.method,
    path,
    pairs.toSorted().join('&'),
    headers.join(''),
    names.join(';'),
    header(request, 'x-amz-content-sha256'),
  ].join('\n')
}

function signingKey(scope: string): Buffer {
  return scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`))
}

function header(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? '')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
