import { useEffect, type RefObject } from 'react'

/** How much of the window the keyboard on the screen covers, as `--keyboard` of the frame. */
export function useKeyboardInset(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return undefined
    const measure = () => {
      const covered = seen.scale > 1.01 ? 0 : Math.max(0, window.innerHeight - seen.height - seen.offsetTop)
      frame.current?.style.setProperty('--keyboard', `${Math.round(covered)}px`)
    }
    measure()
    seen.addEventListener('resize', measure)
    seen.addEventListener('scroll', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      seen.removeEventListener('scroll', measure)
    }
  }, [frame])
}
