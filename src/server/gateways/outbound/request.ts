import type { IncomingHttpHeaders } from 'node:http'
import { OutboundError, toOutboundError } from './outbound-error.ts'
import { parseAddress, send } from './send.ts'

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: string | Buffer
  /** From the first byte sent to the last one received. */
  timeoutMs?: number
  maxBytes?: number
  /** The owner has said that this address may be in a private network. */
  allowsPrivate?: boolean
}

export interface OutboundResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const defaultTimeoutMs = 10_000
const defaultMaxBytes = 1024 * 1024

/** Requests an address that an owner or a member named; see `send`. Redirects are not followed, nothing is decompressed. */
export function requestOutside(address: string | URL, options: OutboundRequest = {}): Promise<OutboundResponse> {
  return request(parseAddress(address), options)
}

async function request(url: URL, options: OutboundRequest): Promise<OutboundResponse> {
  const { method, headers, body, maxBytes = defaultMaxBytes, allowsPrivate = false } = options
  const deadline = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
  try {
    const response = await send(url, { ...(method && { method }), headers, body, signal: deadline, allowsPrivate })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      // Leaving the loop closes the connection.
      if (size > maxBytes) throw new OutboundError('too-long')
      chunks.push(chunk)
    }
    return { status: Number(response.statusCode), headers: response.headers, body: Buffer.concat(chunks) }
  } catch (error) {
    throw toOutboundError(error, { deadline })
  }
}
