import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

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

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
