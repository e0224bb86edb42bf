import { useSyncExternalStore } from 'react'

/** False on the server and in the first render of the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

function subscribeToNothing(): () => void {
  return () => {}
}
