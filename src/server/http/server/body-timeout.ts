import { errors } from '#shared/errors.ts'

interface Pace {
  /** How long the sender may take for `bytes`. */
  withinMs: number
  bytes: number
}

/** Slower than any line that people use; faster than who only wants to hold a connection. */
const usual: Pace = { withinMs: 30_000, bytes: 4096 }

/**
 * The same body, which fails when too little comes for too long. Only waiting for the sender counts: a slow disk of ours is
 * nobody's fault.
 */
export function paced(body: ReadableStream<Uint8Array>, { withinMs, bytes }: Pace = usual): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let waited = 0
  let received = 0

  const next = async () => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(errors.request.timeout()), withinMs - waited)
    const asked = performance.now()
    try {
      return await Promise.race([reader.read(), late])
    } finally {
      clearTimeout(timer)
      waited += performance.now() - asked
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
