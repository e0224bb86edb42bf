import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import type { OpenedResponse } from '#server/gateways/outbound/open.ts'
import { type FetchFailure, FetchRefusal } from './failures.ts'
import { type FetchRequest, openPolitely, type Unchanged } from './open-politely.ts'
import { headBytes, isPage } from './sniff-content.ts'
import { getProduct } from './user-agent.ts'
import { readRobotsTag } from './robots-tag.ts'

export interface FetchedPage {
  kind: 'page'
  /** After redirects. */
  url: string
  status: number
  etag: string
  lastModified: string
  contentType: string
  /** By its header `X-Robots-Tag`. */
  nofollow: boolean
  noindex: boolean
  body: Buffer
}

export type PageOutcome =
  | FetchedPage
  | Unchanged
  /** The content is no page, and was not read. */
  | { kind: 'file'; url: string }
  | FetchFailure

const accept = 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5'
const deadlineMs = 60_000

/** Requests a web page or a sitemap. */
export function fetchPage(ctx: Ctx, request: FetchRequest): Promise<PageOutcome> {
  return openPolitely<PageOutcome>(ctx, request, {
    accept,
    deadlineMs,
    async read(opened) {
      const body = await readPage(opened, request.maxBytes)
      return body ? toPage(ctx.settings, opened, body) : { kind: 'file', url: opened.url.href }
    },
  })
}

function toPage(settings: Settings, { url, status, headers }: OpenedResponse, body: Buffer): FetchedPage {
  return {
    kind: 'page',
    url: url.href,
    status,
    etag: headers.etag ?? '',
    lastModified: headers['last-modified'] ?? '',
    contentType: headers['content-type'] ?? '',
    ...readRobotsTag(headers['x-robots-tag'], getProduct(settings)),
    body,
  }
}

/** Undefined when it is no page. */
async function readPage({ url, headers, body }: OpenedResponse, maxBytes: number): Promise<Buffer | undefined> {
  const contentType = headers['content-type'] ?? ''
  const isPacked = /\.(xml|txt)\.gz$/i.test(url.pathname)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const isDecided = size >= headBytes
    chunks.push(chunk)
    size += chunk.length
    if (isDecided || size < headBytes || isPacked) continue
    // Returning closes the connection.
    if (!isPage(getHead(chunks), contentType)) return undefined
  }
  const content = isPacked ? await unpack(Buffer.concat(chunks), maxBytes) : Buffer.concat(chunks)
  return isPage(content.subarray(0, headBytes), contentType) ? content : undefined
}

function getHead(chunks: readonly Buffer[]): Buffer {
  return Buffer.concat(chunks).subarray(0, headBytes)
}

const gunzipAsync = promisify(gunzip)

/** A sitemap is often stored compressed; servers also unpack it themselves, and keep its name. */
async function unpack(content: Buffer, maxBytes: number): Promise<Buffer> {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content
  try {
    return await gunzipAsync(content, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new FetchRefusal(isTooLarge ? 'too_large' : 'malformed')
  }
}
