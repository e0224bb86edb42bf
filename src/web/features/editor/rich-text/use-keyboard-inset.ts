import { useEffect, type RefObject } from 'react'

/** Sets `--keyboard` of the frame to the height of the on-screen keyboard. */
export function useKeyboardInset(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return undefined
    const measure = () => {
      const isZoomed = viewport.scale > 1.01
      const covered = isZoomed ? 0 : Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop)
      frame.current?.style.setProperty('--keyboard', `${Math.round(covered)}px`)
    }
    measure()
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
    }
  }, [frame])
}
