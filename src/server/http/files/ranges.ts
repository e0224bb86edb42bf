import { Readable } from 'node:stream'
import type { Range } from '#server/storage/storage.ts'

export interface ServedFile {
  size: number
  type: string
  /** Opens a range, or the whole file. Undefined if the file no longer exists. */
  open(range?: Range): Promise<Readable | undefined>
  /** Without the quotation marks. */
  etag: string
  cache: string
  /** With a name, the browser saves the file instead of showing it. */
  name?: string
}

/** Handles Range, HEAD and If-None-Match. Undefined if the file no longer exists. */
export async function fileResponse(request: Request, file: ServedFile): Promise<Response | undefined> {
  const headers = toHeaders(file)
  if (matchesEtag(request, file)) return new Response(null, { status: 304, headers })

  const range = acceptsRange(request, file) ? parseRange(request.headers.get('range'), file.size) : undefined
  if (range === 'outside') {
    headers.set('content-range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.size))

  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = await file.open(range)
  return body && new Response(toWebStream(body), { status, headers })
}

/** RFC 6266: the name in UTF-8, with an ASCII fallback. */
export function toContentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function toHeaders({ type, etag, cache, name }: ServedFile): Headers {
  const headers = new Headers({
    'content-type': type,
    'cache-control': cache,
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  })
  if (name !== undefined) headers.set('content-disposition', toContentDisposition(name))
  return headers
}

function matchesEtag({ headers }: Request, { etag }: ServedFile): boolean {
  const ifNoneMatch = headers.get('if-none-match')
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((tag) => ['*', `"${etag}"`, `W/"${etag}"`].includes(tag.trim()))
}

/** With If-Range, a range is only useful if the client has the rest of the same version. */
function acceptsRange({ method, headers }: Request, { etag }: ServedFile): boolean {
  if (method !== 'GET') return false
  const condition = headers.get('if-range')
  return condition === null || condition === `"${etag}"`
}

/** A single range; several ranges or an invalid header mean the whole file. */
function parseRange(header: string | null, size: number): Range | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'outside' : { start, end }
}

function toWebStream(body: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(body, { strategy: { highWaterMark: 2 } }) as ReadableStream<Uint8Array>
}
