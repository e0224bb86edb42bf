import { useCallback, useSyncExternalStore } from 'react'

/** The widths at which the layout is that of a phone. */
export const phoneQuery = '(max-width: 767px)'

/** False on the server and in the first render of the browser. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}
