import { useCallback, useEffect, useEffectEvent, useState } from 'react'

export interface QueryResult<T> {
  /** Of the last response; it stays while the next request is under way, and if that fails for the same key. */
  data: T | undefined
  /** Of the last request; undefined if it succeeded. */
  error: unknown
  isLoading: boolean
  refetch: () => void
}

interface QueryOptions {
  /** Nothing is requested while this is false. */
  enabled?: boolean
  /** For keys that change while the user types. */
  debounceMs?: number
}

interface Result<T> {
  request: string
  key: string | number
  data?: T | undefined
  error?: unknown
}

/** One failed request, of a poll for example, does not empty what is on the screen; data of another key is dropped. */
export function withFailure<T>(last: Result<T>, failed: Pick<Result<T>, 'request' | 'key' | 'error'>): Result<T> {
  return { ...failed, data: last.key === failed.key ? last.data : undefined }
}

/**
 * A request of a part of a page, sent when the part mounts and again whenever `key` changes; responses to earlier keys
 * are dropped. Pages themselves use loaders.
 */
export function useQuery<T>(
  key: string | number,
  load: (signal: AbortSignal) => Promise<T>,
  { enabled = true, debounceMs = 0 }: QueryOptions = {},
): QueryResult<T> {
  const [result, setResult] = useState<Result<T>>({ request: '', key })
  const [round, setRound] = useState(0)
  const request = `${round} ${key}`
  const send = useEffectEvent(load)
  useEffect(() => {
    if (!enabled) return undefined
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      void send(signal).then(
        (data) => signal.aborted || setResult({ request, key, data }),
        (error: unknown) => signal.aborted || setResult((last) => withFailure(last, { request, key, error })),
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [request, key, enabled, debounceMs])
  const refetch = useCallback(() => setRound((last) => last + 1), [])
  return { data: result.data, error: result.error, isLoading: enabled && result.request !== request, refetch }
}
