import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { unchunk } from './chunks.ts'
import type { Blob, Bucket, S3Object, Upload } from './objects.ts'

export interface S3Request {
  bucket: Bucket
  key: string
  query: URLSearchParams
  request: IncomingMessage
}

export interface S3Response {
  status?: number
  headers?: Record<string, string>
  body?: Readable | string
}

export class S3Error extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, status: number) {
    super(code)
    this.code = code
    this.status = status
  }
}

/** By method, resource and the query parameter that selects the operation. */
export const operations: Record<string, (call: S3Request) => S3Response | Promise<S3Response>> = {
  'PUT object': async ({ bucket, key, request }) => {
    if (request.headers['x-amz-copy-source']) throw new S3Error('NotImplemented', 501)
    const { etag } = await bucket.put(key, await receive(bucket, request), pickMetadata(request))
    return { headers: { etag } }
  },
  'GET object': ({ bucket, key, request }) => {
    const object = findObject(bucket, key)
    const range = parseRange(request.headers.range, object.size)
    const size = range ? range.end - range.start + 1 : object.size
    const body = object.size > 0 ? createReadStream(object.path, range) : ''
    const part = range && { 'content-range': `bytes ${range.start}-${range.end}/${object.size}` }
    return { status: range ? 206 : 200, headers: { ...objectHeaders(object, size), ...part }, body }
  },
  'HEAD object': ({ bucket, key }) => {
    const object = findObject(bucket, key)
    return { headers: objectHeaders(object, object.size) }
  },
  'DELETE object': async ({ bucket, key }) => {
    await bucket.remove(key)
    return { status: 204 }
  },

  'POST object?uploads': ({ bucket, key, request }) => {
    const id = randomUUID()
    bucket.uploads.set(id, { key, initiatedAt: new Date(), headers: pickMetadata(request), parts: new Map() })
    return { body: xml('InitiateMultipartUploadResult', tag('Key', key) + tag('UploadId', id)) }
  },
  'PUT object?uploadId': async (call) => {
    const { parts } = findUpload(call)
    const number = Number(call.query.get('partNumber'))
    if (!(number >= 1 && number <= 10_000)) throw new S3Error('InvalidArgument', 400)
    const before = parts.get(number)
    const blob = await receive(call.bucket, call.request)
    parts.set(number, blob)
    if (before) await rm(before.path, { force: true })
    return { headers: { etag: `"${blob.md5}"` } }
  },
  'GET object?uploadId': (call) => {
    const parts = [...findUpload(call).parts].toSorted(([a], [b]) => a - b)
    const rows = parts.map(([number, { size, md5 }]) =>
      tag('Part', tag('PartNumber', number) + tag('ETag', `"${md5}"`) + tag('Size', size)),
    )
    return { body: xml('ListPartsResult', tag('IsTruncated', false) + rows.join('')) }
  },
  'POST object?uploadId': async (call) => {
    const upload = findUpload(call)
    const parts = completedParts(upload, await text(call.request))
    const etag = createHash('md5').update(Buffer.concat(parts.map(({ md5 }) => Buffer.from(md5, 'hex'))))
    const whole = await call.bucket.join(parts)
    const object = await call.bucket.put(call.key, whole, upload.headers, `${etag.digest('hex')}-${parts.length}`)
    await discard(call)
    return { body: xml('CompleteMultipartUploadResult', tag('Key', call.key) + tag('ETag', object.etag)) }
  },
  'DELETE object?uploadId': async (call) => {
    findUpload(call)
    await discard(call)
    return { status: 204 }
  },

  'HEAD bucket': () => ({}),
  'GET bucket?list-type': ({ bucket, query }) => {
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString()
    const keys = [...bucket.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    const page = keys.toSorted().slice(0, Math.min(Number(query.get('max-keys') ?? 1000), 1000))
    const isTruncated = page.length < keys.length
    const next = isTruncated ? tag('NextContinuationToken', Buffer.from(page.at(-1) ?? '').toString('base64url')) : ''
    const rows = page.map((key) => tag('Contents', row(key, findObject(bucket, key))))
    return { body: xml('ListBucketResult', tag('IsTruncated', isTruncated) + next + rows.join('')) }
  },
  'GET bucket?uploads': ({ bucket }) => {
    const rows = [...bucket.uploads].map(([id, { key, initiatedAt: begunAt }]) =>
      tag('Upload', tag('Key', key) + tag('UploadId', id) + tag('Initiated', begunAt.toISOString())),
    )
    return { body: xml('ListMultipartUploadsResult', tag('IsTruncated', false) + rows.join('')) }
  },
  'POST bucket?delete': async ({ bucket, request }) => {
    const keys = tagContents(await text(request), 'Key')
    for (const key of keys) await bucket.remove(key)
    return { body: xml('DeleteResult', keys.map((key) => tag('Deleted', tag('Key', key))).join('')) }
  },
}

async function receive(bucket: Bucket, request: IncomingMessage): Promise<Blob> {
  const promised = String(request.headers['x-amz-content-sha256'])
  if (promised.startsWith('STREAMING-AWS4')) throw new S3Error('NotImplemented', 501)
  const isChunked = promised.startsWith('STREAMING-')
  const blob = await bucket.write(isChunked ? Readable.from(unchunk(request)) : request)
  const length = request.headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length']
  const isWhole = length === undefined || Number(length) === blob.size
  if (isWhole && (!/^[0-9a-f]{64}$/.test(promised) || promised === blob.sha256)) return blob

  await rm(blob.path, { force: true })
  throw new S3Error(isWhole ? 'XAmzContentSHA256Mismatch' : 'IncompleteBody', 400)
}

/** Only the last part may be small; parts must be listed in order, with the ETags they were given. */
function completedParts({ parts }: Upload, order: string): Blob[] {
  const numbers = tagContents(order, 'PartNumber').map(Number)
  const etags = tagContents(order, 'ETag')
  if (numbers.some((number, at) => number <= (numbers[at - 1] ?? 0))) throw new S3Error('InvalidPartOrder', 400)
  return numbers.map((number, at) => {
    const part = parts.get(number)
    if (!part || etags[at]?.replaceAll('"', '') !== part.md5) throw new S3Error('InvalidPart', 400)
    if (part.size < 5 * 1024 * 1024 && at < numbers.length - 1) throw new S3Error('EntityTooSmall', 400)
    return part
  })
}

async function discard({ bucket, query }: S3Request): Promise<void> {
  const id = query.get('uploadId') ?? ''
  const parts = bucket.uploads.get(id)?.parts.values() ?? []
  bucket.uploads.delete(id)
  for (const { path } of parts) await rm(path, { force: true })
}

function findUpload({ bucket, key, query }: S3Request): Upload {
  const upload = bucket.uploads.get(query.get('uploadId') ?? '')
  if (upload?.key !== key) throw new S3Error('NoSuchUpload', 404)
  return upload
}

function findObject(bucket: Bucket, key: string): S3Object {
  const object = bucket.objects.get(key)
  if (!object) throw new S3Error('NoSuchKey', 404)
  return object
}

function parseRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? []
  if (start === undefined) return undefined
  if (Number(start) >= size) throw new S3Error('InvalidRange', 416)
  return { start: Number(start), end: Math.min(end ? Number(end) : size - 1, size - 1) }
}

function objectHeaders({ etag, changedAt, headers }: S3Object, size: number): Record<string, string> {
  return {
    ...headers,
    etag,
    'accept-ranges': 'bytes',
    'content-length': String(size),
    'last-modified': changedAt.toUTCString(),
  }
}

function pickMetadata({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-') || name === 'content-type')
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}

function row(key: string, { size, etag, changedAt }: S3Object): string {
  return tag('Key', key) + tag('LastModified', changedAt.toISOString()) + tag('ETag', etag) + tag('Size', size)
}

export function xml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${content}</${name}>`
}

/** Content that begins with a tag is markup and is not escaped. */
export function tag(name: string, content: string | number | boolean): string {
  const value = String(content)
  const escaped = value.startsWith('<') ? value : value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<${name}>${escaped}</${name}>`
}

function tagContents(markup: string, name: string): string[] {
  const found = markup.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))
  return [...found].map(([, content = '']) =>
    content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )
}
