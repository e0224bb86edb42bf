import { useCallback, useEffect, useState } from 'react'

/** The reader over the whole window, and in full screen where the browser supports it (phones often do not). */
export function useFullScreen(): { full: boolean; setFull: (full: boolean) => void } {
  const [full, setState] = useState(false)
  const setFull = useCallback((next: boolean) => {
    setState(next)
    // The whole document rather than the reader: dialogs and toasts are rendered outside it.
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
