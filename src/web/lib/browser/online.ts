import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'

export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
}

/** Runs when the network comes back. */
export function useWhenOnline(run: () => void): void {
  const act = useEffectEvent(() => {
    if (navigator.onLine) run()
  })
  useEffect(() => subscribe(() => act()), [])
}

/** The first wait; each further one is twice as long. */
const firstWaitMs = 2000
const maxWaitMs = 60_000

/**
 * Tries again what has failed: when the network comes back and, as browsers do not notice every loss of it, also after a
 * while. `failure` is undefined if nothing has failed, and another value after each failure.
 */
export function useRetry(failure: unknown, retry: () => void): void {
  const waitMs = useRef(firstWaitMs)
  const act = useEffectEvent(retry)
  useWhenOnline(() => {
    waitMs.current = firstWaitMs
    if (failure !== undefined) retry()
  })
  useEffect(() => {
    if (failure === undefined) return undefined
    const timer = setTimeout(() => {
      // Without a network the browser will say when it is back.
      if (!navigator.onLine) return
      waitMs.current = Math.min(maxWaitMs, waitMs.current * 2)
      act()
    }, waitMs.current)
    return () => clearTimeout(timer)
  }, [failure])
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
