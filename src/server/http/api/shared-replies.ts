import { createHash } from 'node:crypto'
import type { Contract } from '#shared/endpoint.ts'
import type { Source } from '../pages/page-cache.ts'
import { closedPolicy, commonHeaders } from '../server/security-headers.ts'
import { withTimeout } from './limits.ts'

export const apiPath = '/api/v1'

interface Options {
  /** Calls the API for an anonymous visitor. */
  fetch: (request: Request) => Response | Promise<Response>
  /** The headers that every reply has, as the site's middleware sets them. */
  headers: Record<string, string>
}

/** Sent with every request by a browser that has opened share links: their keys, separated by commas. */
export const shareKeyHeader = 'x-share-key'

const ownHeaders = ['authorization', shareKeyHeader]

/** A call by a member, or with the key of a share: its reply is for this caller alone. */
export function isOwnCall(get: (header: string) => string | undefined): boolean {
  return ownHeaders.some((name) => get(name) !== undefined)
}

/** By path, the query keys of the calls whose replies visitors share. */
function keysOfShared(contract: Record<string, Contract>): Map<string, string[]> {
  const shared = Object.values(contract)
    .flatMap((area) => Object.values(area))
    .filter((endpoint) => endpoint.shared)
  return new Map(shared.map(({ path, input }) => [`${apiPath}${path}`, Object.keys(input.shape)]))
}

export function sharedCalls(contract: Record<string, Contract>): (path: string) => boolean {
  const keys = keysOfShared(contract)
  return (path) => keys.has(path)
}

/** Replies that visitors share, for the cache that keeps pages. What is no success is not cached. */
export function sharedReplies(contract: Record<string, Contract>, { fetch, headers }: Options): Source {
  const keysOf = keysOfShared(contract)
  return {
    toKey({ pathname, searchParams }) {
      const pairs = (keysOf.get(pathname) ?? []).flatMap((name) =>
        searchParams
          .getAll(name)
          .filter((value, _index, values) => value !== '' || values.length > 1)
          .map((value) => [name, value]),
      )
      return pairs.length === 0 ? pathname : `${pathname}?${new URLSearchParams(pairs)}`
    },
    async make(address) {
      const response = await withTimeout(fetch(new Request(`http://localhost${address}`)))
      if (!response.ok) return response
      const body = Buffer.from(await response.arrayBuffer())
      return {
        status: 200,
        headers: {
          ...commonHeaders,
          ...headers,
          'content-security-policy': closedPolicy,
          'content-type': 'application/json',
          'cache-control': 'no-cache',
          vary: [...ownHeaders, 'accept-encoding'].join(', '),
          etag: `"${createHash('sha1').update(body).digest('base64url')}"`,
        },
        html: body,
      }
    },
    // More than a reply costs: one network must not take all places of the queue.
    usualMs: 40,
    concurrency: 16,
    maxBytes: 16 * 1024 * 1024,
  }
}
