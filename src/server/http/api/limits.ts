import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { LRUCache } from 'lru-cache'
import { defaultBodyLimit } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'

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

/** Fails when the work takes longer than any client waits. */
export async function withTimeout<T>(work: T | Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(errors.request.timeout()), timeoutMs)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

export const timeLimit: MiddlewareHandler = (_context, next) => withTimeout(next())

interface Bucket {
  tokens: number
  at: number
}

interface Allowance {
  perSecond: number
  burst: number
}

const maxBuckets = 50_000

export interface TokenBuckets {
  /** Takes tokens if there are as many; else false, and none are taken. */
  take(key: string, amount?: number): boolean
  /** Takes tokens that have been used already: what is missing must flow in before `take` succeeds again. */
  charge(key: string, amount: number): void
}

/** Token buckets by key, in the memory of this process; the least recently used key is evicted first. */
export function tokenBuckets({ perSecond, burst }: Allowance): TokenBuckets {
  // With `max`, lru-cache would allocate all entries at once.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxBuckets, sizeCalculation: () => 1 })
  const refill = (key: string): Bucket => {
    const now = Date.now()
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now }
    return { tokens: Math.min(burst, tokens + ((now - at) / 1000) * perSecond), at: now }
  }
  return {
    take(key, amount = 1) {
      const { tokens, at } = refill(key)
      const isAllowed = tokens >= amount
      buckets.set(key, { tokens: isAllowed ? tokens - amount : tokens, at })
      return isAllowed
    },
    charge(key, amount) {
      const { tokens, at } = refill(key)
      buckets.set(key, { tokens: tokens - amount, at })
    },
  }
}

export function rateLimit(
  keyOf: (context: Parameters<MiddlewareHandler>[0]) => string,
  allowance: Allowance,
): MiddlewareHandler {
  const buckets = tokenBuckets(allowance)
  return async (context, next) => {
    if (!buckets.take(keyOf(context))) throw errors.request.tooMany(1)
    await next()
  }
}
