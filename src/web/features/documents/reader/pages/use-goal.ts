import { useCallback, useEffect, useState } from 'react'

/** A picture that takes longer does not hold up the others. */
const maxWaitMs = 1500

/** The page that the reader has gone to, until its picture is there. */
export function useGoal() {
  const [goal, setGoal] = useState<number>()
  const onArrived = useCallback((page: number) => setGoal((before) => (before === page ? undefined : before)), [])
  useEffect(() => {
    if (goal === undefined) return undefined
    const release = () => setGoal(undefined)
    const timer = setTimeout(release, maxWaitMs)
    // The reader's own scrolling, not that to the page.
    const events = ['wheel', 'touchmove'] as const
    for (const event of events) window.addEventListener(event, release, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const event of events) window.removeEventListener(event, release)
    }
  }, [goal])
  return { goal, setGoal, onArrived }
}
