import { useCallback, useEffect, useState } from 'react'

/** The reader over the whole screen: also where the browser has no full screen to give, as on phones. */
export function useFull(): { full: boolean; setFull: (full: boolean) => void } {
  const [full, setState] = useState(false)
  const setFull = useCallback((next: boolean) => {
    setState(next)
    // The whole page goes, and not the reader alone: dialogs and messages stand outside it.
    if (next) document.documentElement.requestFullscreen?.().catch(() => undefined)
    else if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  }, [])
  useEffect(() => {
    const follow = () => !document.fullscreenElement && setState(false)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [])
  useEffect(() => {
    if (!full) return undefined
    const { style } = document.documentElement
    const before = style.overflow
    style.overflow = 'hidden'
    return () => {
      style.overflow = before
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
    }
  }, [full])
  return { full, setFull }
}
