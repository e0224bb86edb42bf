import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiPath, isOwnCall } from '../api/shared-replies.ts'
import { createRequestId, type LoggedRequest } from '../server/request-log.ts'
import { type PageAnswer, type PageCache, type PageRequest, toResponse } from './page-cache.ts'

export interface CachedPages {
  /** Undefined if no fresh answer is cached. */
  toRequest(request: Request): Response | undefined
  /** Answers a request of Node's own server directly. False if no fresh answer is cached. */
  toNode(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

interface Caches {
  pages: PageCache | undefined
  replies: PageCache | undefined
}

type GetHeader = (name: string) => string | undefined

/**
 * Serves fresh cached pages and replies without the site's middleware: byte for byte the same response, and the same log
 * line.
 */
export function serveCached({ pages, replies }: Caches, log: (request: LoggedRequest) => void): CachedPages {
  const answer = ({ method, address }: Pick<PageRequest, 'method' | 'address'>, get: GetHeader) => {
    const startedAt = performance.now()
    const isCall = address.startsWith(apiPath)
    if (isCall && isOwnCall(get)) return undefined
    const encodings = get('accept-encoding') ?? ''
    const fresh = (isCall ? replies : pages)?.serveFresh({
      method,
      address,
      encodings,
      etag: get('if-none-match') ?? '',
    })
    if (!fresh) return undefined
    const id = createRequestId()
    const [path = ''] = address.split('?', 1)
    const { status, headers, body } = fresh
    log({ id, method, path, status, ms: performance.now() - startedAt })
    return { status, headers: [...headers, 'x-request-id', id], body } satisfies PageAnswer
  }
  return {
    toRequest({ method, url, headers }) {
      const address = url.slice(url.indexOf('/', url.indexOf('//') + 2))
      const fresh = answer({ method, address }, (name) => headers.get(name) ?? undefined)
      return fresh && toResponse(fresh)
    },
    toNode({ method = '', url = '', headers }, outgoing) {
      const fresh = answer({ method, address: url }, (name) => headers[name] as string | undefined)
      if (fresh) outgoing.writeHead(fresh.status, fresh.headers).end(fresh.body)
      return fresh !== undefined
    },
  }
}
