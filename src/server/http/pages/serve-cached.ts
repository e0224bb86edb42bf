import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequestId, type LoggedRequest } from '../server/request-log.ts'
import { type PageAnswer, type PageCache, type PageRequest, toResponse } from './page-cache.ts'

export interface CachedPages {
  /** Undefined if no fresh page is cached. */
  toRequest(request: Request): Response | undefined
  /** Answers a request of Node's own server directly. False if no fresh page is cached. */
  toNode(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

/**
 * Serves fresh cached pages without the site's middleware: byte for byte the same response, and the same log line.
 */
export function serveCached(pages: PageCache | undefined, log: (request: LoggedRequest) => void): CachedPages {
  const answer = (request: PageRequest): PageAnswer | undefined => {
    const startedAt = performance.now()
    const fresh = pages?.serveFresh(request)
    if (!fresh) return undefined
    const id = createRequestId()
    const [path = ''] = request.address.split('?', 1)
    const { status, headers, body } = fresh
    log({ id, method: request.method, path, status, ms: performance.now() - startedAt })
    return { status, headers: [...headers, 'x-request-id', id], body }
  }
  return {
    toRequest({ method, url, headers }) {
      const fresh = answer({
        method,
        address: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
        encodings: headers.get('accept-encoding') ?? '',
        etag: headers.get('if-none-match') ?? '',
      })
      return fresh && toResponse(fresh)
    },
    toNode({ method = '', url = '', headers }, outgoing) {
      const fresh = answer({
        method,
        address: url,
        encodings: headers['accept-encoding'] ?? '',
        etag: headers['if-none-match'] ?? '',
      })
      if (fresh) outgoing.writeHead(fresh.status, fresh.headers).end(fresh.body)
      return fresh !== undefined
    },
  }
}
