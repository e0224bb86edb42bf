import { useSyncExternalStore } from 'react'

/** Whether the page one is at could be shown; the error page says so, the progress bar asks. */

let failures = 0
const listeners = new Set<() => void>()

export function noteFailure(): void {
  failures += 1
  for (const listener of listeners) listener()
}

export function useFailures(): number {
  return useSyncExternalStore(
    subscribe,
    () => failures,
    () => 0,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
