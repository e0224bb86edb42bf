import { useCallback, useEffect, useState } from 'react'
import { enterFullScreen, exitFullScreen, onFullScreenChange } from '#web/lib/browser/full-screen.ts'

/** The reader over the whole window, and in full screen where the browser supports it (phones often do not). */
export function useFullScreen(): { full: boolean; setFull: (full: boolean) => void } {
  const [full, setState] = useState(false)
  const setFull = useCallback((next: boolean) => {
    setState(next)
    // The whole document rather than the reader: dialogs and toasts are rendered outside it.
    if (next) enterFullScreen(document.documentElement)
    else exitFullScreen()
  }, [])
  useEffect(() => onFullScreenChange((isFull) => !isFull && setState(false)), [])
  useEffect(() => {
    if (!full) return undefined
    const { style } = document.documentElement
    const before = style.overflow
    style.overflow = 'hidden'
    return () => {
      style.overflow = before
      exitFullScreen()
    }
  }, [full])
  return { full, setFull }
}
