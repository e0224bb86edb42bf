import { useEffect, useEffectEvent, useState } from 'react'
import { reasonOf } from '#web/admin/engine/feedback.ts'

interface Answer<T> {
  data?: T
  problem?: string
  retry: () => void
}

/** What a part of a screen asks the server when it opens; pages themselves use loaders. The last answer stays until the next one comes. */
export function useAnswer<T>(load: () => Promise<T>, key: string | number = ''): Answer<T> {
  const [state, setState] = useState<{ data?: T; problem?: string }>({})
  const [round, setRound] = useState(0)
  const ask = useEffectEvent((_question: string) => load())
  const question = `${key} ${round}`
  useEffect(() => {
    let stale = false
    ask(question).then(
      (data) => !stale && setState({ data }),
      (error: unknown) => !stale && setState({ problem: reasonOf(error) }),
    )
    return () => {
      stale = true
    }
  }, [question])
  return { ...state, retry: () => setRound(round + 1) }
}
