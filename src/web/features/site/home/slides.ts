import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** How long a slide is shown. */
const slideMs = 3000

/** The index some steps away, cyclically. */
export function slideAfter(index: number, steps: number, count: number): number {
  return count === 0 ? 0 : (((index + steps) % count) + count) % count
}

/** The step of a swipe; 0 for short and for rather vertical ones, which scroll. */
export function swipeDirection({ x, y }: { x: number; y: number }): -1 | 0 | 1 {
  if (Math.abs(x) < 40 || Math.abs(x) < 1.5 * Math.abs(y)) return 0
  return x < 0 ? 1 : -1
}

export interface Slides {
  current: number
  /** The picture of a slide is not loaded before it is shown. */
  wasShown: (index: number) => boolean
  show: (index: number) => void
  step: (steps: number) => void
  /** Whether the slides advance by themselves at the moment. */
  isMoving: boolean
  setPointed: (isPointed: boolean) => void
  setFocused: (isFocused: boolean) => void
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
  prefersReducedMotion: boolean
}

/** Slides advance unless they are pointed at, focused, paused, or the visitor prefers reduced motion. */
export function useSlides(count: number): Slides {
  const [{ chosen, shown }, setState] = useState({ chosen: 0, shown: [0] })
  // The number of slides may have shrunk.
  const current = Math.max(0, Math.min(chosen, count - 1))
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const prefersReducedMotion = useSyncExternalStore(subscribeToMotion, readMotion, () => true)
  const isMoving = count > 1 && !isPointed && !isFocused && !isPaused && !prefersReducedMotion
  const show = useCallback(
    (next: number) =>
      setState(({ shown }) => ({ chosen: next, shown: shown.includes(next) ? shown : [...shown, next] })),
    [],
  )
  useEffect(() => {
    if (!isMoving) return undefined
    // Restarted with each slide: one that was chosen by hand gets its full time too.
    const timer = setInterval(() => document.hidden || show(slideAfter(current, 1, count)), slideMs)
    return () => clearInterval(timer)
  }, [isMoving, current, count, show])
  return {
    current,
    wasShown: (index) => index === current || shown.includes(index),
    show,
    step: (steps) => show(slideAfter(current, steps, count)),
    isMoving,
    setPointed,
    setFocused,
    isPaused,
    setPaused,
    prefersReducedMotion,
  }
}

const reducedMotion = '(prefers-reduced-motion: reduce)'

function readMotion(): boolean {
  return matchMedia(reducedMotion).matches
}

function subscribeToMotion(onChange: () => void): () => void {
  const query = matchMedia(reducedMotion)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
