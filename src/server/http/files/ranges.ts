import { Readable } from 'node:stream'
import type { Range } from '#server/storage/storage.ts'

export interface ServedFile {
  size: number
  type: string
  /** Opens what is wanted of it, the last byte included; all of it without a range. Undefined when it has gone. */
  open(range?: Range): Promise<Readable | undefined>
  /** Changes when the content does; without the quotation marks. */
  etag: string
  cache: string
  /** With a name the browser saves the file under it instead of showing it. */
  name?: string
}

/** A file as HTTP wants it: the whole, a part, only its headers, or nothing because the asker has it. Undefined when it has gone. */
export async function fileResponse(request: Request, file: ServedFile): Promise<Response | undefined> {
  const headers = headersOf(file)
  if (holds(request, file)) return new Response(null, { status: 304, headers })

  const asked = mayBePart(request, file) ? rangeOf(request.headers.get('range'), file.size) : undefined
  if (asked === 'outside') {
    headers.set('content-range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  if (asked) headers.set('content-range', `bytes ${asked.start}-${asked.end}/${file.size}`)
  headers.set('content-length', String(asked ? asked.end - asked.start + 1 : file.size))

  const status = asked ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = await file.open(asked)
  return body && new Response(streamOf(body), { status, headers })
}

/** RFC 6266: the name as it is for those who know UTF-8, something harmless for the others. */
export function attachmentNamed(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function headersOf({ type, etag, cache, name }: ServedFile): Headers {
  const headers = new Headers({
    'content-type': type,
    'cache-control': cache,
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  })
  if (name !== undefined) headers.set('content-disposition', attachmentNamed(name))
  return headers
}

function holds({ headers }: Request, { etag }: ServedFile): boolean {
  const known = headers.get('if-none-match')
  if (known === null) return false
  return known.split(',').some((tag) => ['*', `"${etag}"`, `W/"${etag}"`].includes(tag.trim()))
}

/** A part is of use only to who has the rest of the same content. */
function mayBePart({ method, headers }: Request, { etag }: ServedFile): boolean {
  if (method !== 'GET') return false
  const condition = headers.get('if-range')
  return condition === null || condition === `"${etag}"`
}

/** One range is answered; several, or what is no range at all, mean the whole file. */
function rangeOf(header: string | null, size: number): Range | 'outside' | undefined {
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

/** The file is let go of as soon as nobody reads it any more. */
function streamOf(body: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(body, { strategy: { highWaterMark: 2 } }) as ReadableStream<Uint8Array>
}
