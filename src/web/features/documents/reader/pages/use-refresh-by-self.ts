import { useCallback, useRef } from 'react'

const pauseMs = 30_000

/** For retries without a click: however many pages fail, the document is loaded again only once in a while. */
export function useRefreshBySelf(refresh: () => void): () => void {
  const last = useRef(-Infinity)
  return useCallback(() => {
    const now = performance.now()
    if (now - last.current < pauseMs) return
    last.current = now
    refresh()
  }, [refresh])
}
