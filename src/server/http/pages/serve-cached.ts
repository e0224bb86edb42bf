import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Noted, requestNumber } from '../server/request-log.ts'
import { type Answer, type Asked, type Pages, responseOf } from './page-cache.ts'

export interface KeptPages {
  /** To a request as the site knows it; undefined if no kept page answers it. */
  toRequest(request: Request): Response | undefined
  /** To a request as Node knows it, with nothing in between. Says whether it was answered. */
  toNode(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

/**
 * Answers for pages that are kept and fresh without the way through the whole site: to the byte the same answer, and the
 * same line in the log. Everything else goes that way.
 */
export function keptPages(pages: Pages | undefined, note: (noted: Noted) => void): KeptPages {
  const answerTo = (asked: Asked): Answer | undefined => {
    const started = performance.now()
    const answer = pages?.fresh(asked)
    if (!answer) return undefined
    const id = requestNumber()
    const [path = ''] = asked.address.split('?', 1)
    const { status, headers, body } = answer
    note({ id, method: asked.method, path, status, ms: performance.now() - started })
    return { status, headers: [...headers, 'x-request-id', id], body }
  }
  return {
    toRequest({ method, url, headers }) {
      const answer = answerTo({
        method,
        address: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
        encodings: headers.get('accept-encoding') ?? '',
        etag: headers.get('if-none-match') ?? '',
      })
      return answer && responseOf(answer)
    },
    toNode({ method = '', url = '', headers }, outgoing) {
      const answer = answerTo({
        method,
        address: url,
        encodings: headers['accept-encoding'] ?? '',
        etag: headers['if-none-match'] ?? '',
      })
      if (answer) outgoing.writeHead(answer.status, answer.headers).end(answer.body)
      return answer !== undefined
    },
  }
}
