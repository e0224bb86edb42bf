import { ApiError } from '#shared/errors.ts'

/** The session has ended: nothing goes on until somebody logs in again. */
export class LoginLost extends Error {
  constructor() {
    super('登录已失效，请重新登录')
    this.name = 'LoginLost'
  }
}

interface Trying {
  signal: AbortSignal
  /** Told when it has to be tried again, and when it goes on. */
  onWaiting: (isWaiting: boolean) => void
}

const delays = [500, 1000, 2000, 4000, 8000, 15_000]

/** Tries until it gets an answer. A lost connection or a server that restarts is no answer. */
export async function patiently<T>(work: () => Promise<T>, { signal, onWaiting }: Trying): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      const result = await work()
      if (attempt > 0) onWaiting(false)
      return result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 401) throw new LoginLost()
      if (!isPassing(error)) throw error
      onWaiting(true)
      await rest(delays[Math.min(attempt, delays.length - 1)] ?? 0, signal)
    }
  }
}

/** Whether the same request may well succeed a little later. */
export function isPassing({ status, reason }: { status: number; reason: string }): boolean {
  if (status === 429) return reason === 'request.tooMany' || reason === ''
  return [0, 408, 423, 502, 503, 504].includes(status)
}

/** Ends early when the connection is back. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    const end = () => {
      over.abort()
      clearTimeout(timer)
    }
    const timer = setTimeout(() => {
      end()
      resolve()
    }, ms)
    globalThis.addEventListener(
      'online',
      () => {
        end()
        resolve()
      },
      { signal: over.signal },
    )
    signal.addEventListener(
      'abort',
      () => {
        end()
        reject(signal.reason)
      },
      { signal: over.signal },
    )
  })
}
