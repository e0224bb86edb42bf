import { useEffect, useEffectEvent, useState } from 'react'
import type { QueryLike } from '#web/admin/engine/query-state.tsx'

interface PollingOptions {
  intervalMs: number
  /** The interval after a failed request. */
  retryMs: number
}

/** Requests again and again while the page is visible. After a failure the last data stays. */
export function usePolling<T>(load: () => Promise<T>, { intervalMs, retryMs }: PollingOptions): QueryLike<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown }>({})
  const [round, setRound] = useState(0)
  const send = useEffectEvent((_round: number) => load())
  useEffect(() => {
    let isStopped = false
    let isSending = false
    let timer: number | undefined
    const poll = async () => {
      clearTimeout(timer)
      if (isStopped || isSending || document.visibilityState !== 'visible') return
      isSending = true
      try {
        const data = await send(round)
        if (isStopped) return
        setState({ data })
        timer = window.setTimeout(start, intervalMs)
      } catch (error) {
        if (isStopped) return
        setState(({ data }) => ({ data, error }))
        timer = window.setTimeout(start, retryMs)
      } finally {
        isSending = false
      }
    }
    const start = () => void poll()
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', start)
    }
  }, [intervalMs, retryMs, round])
  const refetch = () => {
    setState(({ data }) => ({ data }))
    setRound(round + 1)
  }
  return { data: state.data, error: state.error, refetch }
}
