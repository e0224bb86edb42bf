import { useSyncExternalStore } from 'react'

/** Whether the page's scripts have taken over from the server's HTML. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

function never(): () => void {
  return () => {}
}
