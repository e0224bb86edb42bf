import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { errors } from '#shared/errors.ts'

export const jsonLimit = bodyLimit({
  maxSize: 1024 * 1024,
  onError: () => {
    throw errors.request.tooLarge()
  },
})

const answerWithinMs = 30_000

export const timeLimit: MiddlewareHandler = async (_context, next) => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(errors.request.timeout()), answerWithinMs)
  try {
    await Promise.race([next(), late])
  } finally {
    clearTimeout(timer)
  }
}

interface Bucket {
  left: number
  at: number
}

/** So many requests a second from one address, with room for a burst. Kept in memory: it protects this process. */
export function rateLimit(
  addressOf: (context: Parameters<MiddlewareHandler>[0]) => string,
  { perSecond, burst }: { perSecond: number; burst: number },
): MiddlewareHandler {
  const buckets = new Map<string, Bucket>()
  return async (context, next) => {
    const now = Date.now()
    if (buckets.size > 50_000) buckets.clear()
    const key = addressOf(context)
    const bucket = buckets.get(key) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    buckets.set(key, bucket)
    if (bucket.left < 1) {
      context.header('retry-after', '1')
      throw errors.request.tooMany(1)
    }
    bucket.left -= 1
    await next()
  }
}
