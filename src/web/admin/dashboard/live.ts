import { useEffect, useEffectEvent, useState } from 'react'
import { reasonOf } from '#web/admin/engine/feedback.ts'

interface Live<T> {
  data?: T
  /** Why the last answer did not come; what was known before stays. */
  problem?: string
  retry: () => void
}

interface Pace {
  everyMs: number
  /** After an answer that did not come. */
  retryMs: number
}

/** What is asked again and again while somebody looks at it, more slowly after it failed. */
export function useLive<T>(load: () => Promise<T>, { everyMs, retryMs }: Pace): Live<T> {
  const [state, setState] = useState<{ data?: T; problem?: string }>({})
  const [round, setRound] = useState(0)
  const ask = useEffectEvent((_round: number) => load())
  useEffect(() => {
    let ended = false
    let asking = false
    let timer: number | undefined
    const look = async () => {
      clearTimeout(timer)
      if (ended || asking || document.visibilityState !== 'visible') return
      asking = true
      try {
        const data = await ask(round)
        if (ended) return
        setState({ data })
        timer = window.setTimeout(watch, everyMs)
      } catch (error) {
        if (ended) return
        setState(({ data }) => ({ data, problem: reasonOf(error) }))
        timer = window.setTimeout(watch, retryMs)
      } finally {
        asking = false
      }
    }
    const watch = () => void look()
    watch()
    document.addEventListener('visibilitychange', watch)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', watch)
    }
  }, [everyMs, retryMs, round])
  const retry = () => {
    setState(({ data }) => ({ data }))
    setRound(round + 1)
  }
  return { ...state, retry }
}
