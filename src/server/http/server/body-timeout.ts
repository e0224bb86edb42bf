import { errors } from '#shared/errors.ts'

interface MinimumRate {
  /** How long the sender may take for `bytes`. */
  withinMs: number
  bytes: number
}

/** Slower than any real connection, but faster than a slow-body attack that occupies connections. */
const defaultRate: MinimumRate = { withinMs: 30_000, bytes: 4096 }

/** The same body, which fails when too little arrives for too long. Only waiting for the sender counts, not our disk. */
export function withBodyTimeout(
  body: ReadableStream<Uint8Array>,
  { withinMs, bytes }: MinimumRate = defaultRate,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let waited = 0
  let received = 0

  const next = async () => {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(errors.request.timeout()), withinMs - waited)
    const startedAt = performance.now()
    try {
      return await Promise.race([reader.read(), timeout])
    } finally {
      clearTimeout(timer)
      waited += performance.now() - startedAt
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await next()
          if (done) return controller.close()
          received += value.byteLength
          if (received >= bytes) {
            received = 0
            waited = 0
          }
          controller.enqueue(value)
        } catch (error) {
          controller.error(error)
          await reader.cancel(error).catch(() => {})
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
