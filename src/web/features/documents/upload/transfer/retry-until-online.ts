import { ApiError, networkFailure } from '#shared/errors.ts'

/** The upload cannot continue before the member has logged in again. */
export class SessionExpired extends Error {
  constructor() {
    super('登录已失效，请重新登录')
    this.name = 'SessionExpired'
  }
}

interface RetryOptions {
  signal: AbortSignal
  /** Called with true before each retry, and with false when one has succeeded. */
  onReconnecting: (isReconnecting: boolean) => void
}

const delays = [500, 1000, 2000, 4000, 8000, 15_000]

/** Retries while the connection is lost or the server restarts. */
export async function retryUntilOnline<T>(
  work: () => Promise<T>,
  { signal, onReconnecting }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      const result = await work()
      if (attempt > 0) onReconnecting(false)
      return result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 401) throw new SessionExpired()
      if (!isTransient(error)) throw error
      onReconnecting(true)
      await waitOrOnline(delays[Math.min(attempt, delays.length - 1)] ?? 0, signal)
    }
  }
}

/** Whether the same request may succeed later. */
export function isTransient({ status, reason }: { status: number; reason: string }): boolean {
  if (status === 429) return reason === 'request.tooMany' || reason === ''
  return [networkFailure, 408, 423, 502, 503, 504].includes(status)
}

/** Resolves early when the browser is online again. */
function waitOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const listeners = new AbortController()
    const end = () => {
      listeners.abort()
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
      { signal: listeners.signal },
    )
    signal.addEventListener(
      'abort',
      () => {
        end()
        reject(signal.reason)
      },
      { signal: listeners.signal },
    )
  })
}
