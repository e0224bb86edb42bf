import { useCallback, useEffect, useState } from 'react'
import { enterFullScreen, exitFullScreen, onFullScreenChange } from '#web/lib/browser/full-screen.ts'

/** In the page, in full screen, or over the whole window with nothing but pages and a quiet bar. */
export type ReaderMode = 'page' | 'full' | 'focus'

export interface ReaderModeState {
  mode: ReaderMode
  setMode: (mode: ReaderMode) => void
}

/** The reader over the whole window, and in full screen where the browser supports it (phones often do not). */
export function useReaderMode(): ReaderModeState {
  const [mode, setState] = useState<ReaderMode>('page')
  const setMode = useCallback((next: ReaderMode) => {
    setState(next)
    // The whole document rather than the reader: dialogs and toasts are rendered outside it.
    if (next === 'full') enterFullScreen(document.documentElement)
    else exitFullScreen()
  }, [])
  useEffect(
    () => onFullScreenChange((isFull) => !isFull && setState((before) => (before === 'full' ? 'page' : before))),
    [],
  )
  const isOverPage = mode !== 'page'
  useEffect(() => {
    if (!isOverPage) return undefined
    const { style } = document.documentElement
    const before = style.overflow
    style.overflow = 'hidden'
    return () => {
      style.overflow = before
      exitFullScreen()
    }
  }, [isOverPage])
  return { mode, setMode }
}
