import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { articles } from '#shared/contract/articles.ts'
import { documents } from '#shared/contract/documents.ts'
import { errors } from '#shared/errors.ts'

/** A document's whole text comes back with its form, and an article is one. */
const long = new Set(
  [documents.update, articles.create, articles.update].map(({ method, path }) => `${method} /api/v1${path}`),
)
const [short, roomy] = [limitOf(1024 * 1024), limitOf(8 * 1024 * 1024)]

export const jsonLimit: MiddlewareHandler = (context, next) =>
  (long.has(`${context.req.method} ${context.req.path}`) ? roomy : short)(context, next)

function limitOf(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw errors.request.tooLarge()
    },
  })
}

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

interface Allowance {
  perSecond: number
  burst: number
}

/** Says whether a key may have one more: so many a second, with room for a burst. Kept in memory: it protects this process. */
export function buckets({ perSecond, burst }: Allowance): (key: string) => boolean {
  const known = new Map<string, Bucket>()
  return (key) => {
    const now = Date.now()
    if (known.size > 50_000) known.clear()
    const bucket = known.get(key) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    known.set(key, bucket)
    if (bucket.left < 1) return false
    bucket.left -= 1
    return true
  }
}

export function rateLimit(
  keyOf: (context: Parameters<MiddlewareHandler>[0]) => string,
  allowance: Allowance,
): MiddlewareHandler {
  const take = buckets(allowance)
  return async (context, next) => {
    if (!take(keyOf(context))) {
      context.header('retry-after', '1')
      throw errors.request.tooMany(1)
    }
    await next()
  }
}
