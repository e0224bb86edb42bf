import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { acceptedEncodings, openBody } from './body.ts'
import { OutboundError, toOutboundError } from './outbound-error.ts'
import { parseAddress, send } from './send.ts'

export interface OpenOptions {
  headers?: Record<string, string>
  /** Of the bytes received, and of what they decompress to. */
  maxBytes: number
  /** For the whole request with its redirects and its body, but for the time that `admit` takes. */
  deadlineMs: number
  signal?: AbortSignal | undefined
  /** Asked before each address that is dialled, the first one included; it throws to refuse. */
  admit?: (url: URL) => void | Promise<void>
  /** The owner has said that this address may be in a private network. None may by default. */
  allowsPrivate?: (url: URL) => boolean
  /** Shorter ones for tests. */
  limits?: Partial<StepLimits>
  /** For tests. */
  lookup?: LookupFunction
}

export interface OpenedResponse {
  /** After redirects. */
  url: URL
  status: number
  headers: IncomingHttpHeaders
  /** Decompressed. To be read or destroyed: until then it holds the connection. */
  body: Readable
}

/** In milliseconds, for each step. */
interface StepLimits {
  connectMs: number
  headersMs: number
  idleMs: number
}

const stepLimits: StepLimits = { connectMs: 10_000, headersMs: 15_000, idleMs: 15_000 }
const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** They belong to the origin that they were given for. */
const credentials = new Set(['authorization', 'cookie', 'proxy-authorization'])

/**
 * Requests an address as `requestOutside` does, but follows redirects and gives the body as a stream, for contents that are
 * too large for the memory. Fails with an `OutboundError`, or with what `admit` throws.
 */
export async function openOutside(address: string | URL, options: OpenOptions): Promise<OpenedResponse> {
  let url = parseAddress(address)
  let { headers = {} } = options
  let remainingMs = options.deadlineMs
  for (let redirects = 0; ; redirects++) {
    await options.admit?.(url)
    const startedAt = performance.now()
    const opened = await openOne(url, { ...options, headers, deadlineMs: remainingMs })
    if (!('location' in opened)) return opened
    if (redirects === maxRedirects) throw new OutboundError('redirects')
    const target = parseTarget(opened.location, url)
    if (target.origin !== url.origin) headers = withoutCredentials(headers)
    url = target
    remainingMs = Math.max(1, remainingMs - (performance.now() - startedAt))
  }
}

type Redirect = { location: string }

async function openOne(url: URL, options: OpenOptions): Promise<OpenedResponse | Redirect> {
  const { headers, maxBytes, deadlineMs, allowsPrivate = () => false, lookup } = options
  const { idleMs, ...limits } = { ...stepLimits, ...options.limits }
  const deadline = AbortSignal.timeout(Math.ceil(deadlineMs))
  const stop = { deadline, signal: options.signal }
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
  let response: IncomingMessage | undefined
  try {
    response = await send(url, {
      headers: { 'accept-encoding': acceptedEncodings, ...headers },
      signal,
      allowsPrivate: allowsPrivate(url),
      lookup,
      ...limits,
    })
    const status = Number(response.statusCode)
    const { location } = response.headers
    if (redirectStatuses.has(status) && location !== undefined) {
      response.destroy()
      return { location }
    }
    return { url, status, headers: response.headers, body: openBody(response, { maxBytes, idleMs }, stop) }
  } catch (error) {
    response?.destroy()
    throw toOutboundError(error, stop)
  }
}

function parseTarget(location: string, from: URL): URL {
  // Each character is a byte: in UTF-8, or in what the server itself will understand.
  const ascii = location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  const target = parseAddress(ascii, from)
  if (from.protocol === 'https:' && target.protocol === 'http:') throw new OutboundError('downgrade')
  return target
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.has(name.toLowerCase())))
}
