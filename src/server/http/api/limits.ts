import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { LRUCache } from 'lru-cache'
import { errors } from '#shared/errors.ts'

const defaultBodyLimit = 1024 * 1024

/** For an endpoint whose body is JSON. */
export function limitBody(maxSize = defaultBodyLimit): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw errors.request.tooLarge()
    },
  })
}

const timeoutMs = 30_000

export const timeLimit: MiddlewareHandler = async (_context, next) => {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(errors.request.timeout()), timeoutMs)
  try {
    await Promise.race([next(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

interface Bucket {
  tokens: number
  at: number
}

interface Allowance {
  perSecond: number
  burst: number
}

const maxBuckets = 50_000

/** Token buckets by key, in the memory of this process; the least recently used key is evicted first. */
export function tokenBuckets({ perSecond, burst }: Allowance): (key: string) => boolean {
  // With `max`, lru-cache would allocate all entries at once.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxBuckets, sizeCalculation: () => 1 })
  return (key) => {
    const now = Date.now()
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now }
    const refilled = Math.min(burst, tokens + ((now - at) / 1000) * perSecond)
    const isAllowed = refilled >= 1
    buckets.set(key, { tokens: isAllowed ? refilled - 1 : refilled, at: now })
    return isAllowed
  }
}

export function rateLimit(
  keyOf: (context: Parameters<MiddlewareHandler>[0]) => string,
  allowance: Allowance,
): MiddlewareHandler {
  const take = tokenBuckets(allowance)
  return async (context, next) => {
    if (!take(keyOf(context))) {
      context.header('retry-after', '1')
      throw errors.request.tooMany(1)
    }
    await next()
  }
}
