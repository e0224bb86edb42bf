import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** How long a slide stands before the next one comes. */
const slideMs = 3000

/** The place that is some steps away, round and round. */
export function placeAfter(place: number, steps: number, count: number): number {
  return count === 0 ? 0 : (((place + steps) % count) + count) % count
}

/** What a stroke of the finger across the slides means; one that goes rather up or down is scrolling. */
export function strokeOf({ x, y }: { x: number; y: number }): -1 | 0 | 1 {
  if (Math.abs(x) < 40 || Math.abs(x) < 1.5 * Math.abs(y)) return 0
  return x < 0 ? 1 : -1
}

export interface Slides {
  place: number
  /** Whether a slide has been shown already: its picture is not asked for before. */
  wasShown: (place: number) => boolean
  show: (place: number) => void
  turn: (steps: number) => void
  /** They go on by themselves, as things are. */
  isMoving: boolean
  /** Somebody points at them. */
  point: (isPointed: boolean) => void
  /** Somebody works in them. */
  focus: (isFocused: boolean) => void
  /** Until somebody lets them go on. */
  isStopped: boolean
  stop: (isStopped: boolean) => void
  /** This person wants no motion at all. */
  isCalm: boolean
}

/** Slides that follow one another while nobody points at them, works in them, or wants no motion. */
export function useSlides(count: number): Slides {
  const [{ chosen, shown }, setState] = useState({ chosen: 0, shown: [0] })
  // There may be fewer of them than there were.
  const place = Math.max(0, Math.min(chosen, count - 1))
  const [isPointed, point] = useState(false)
  const [isFocused, focus] = useState(false)
  const [isStopped, stop] = useState(false)
  const isCalm = useSyncExternalStore(followMotion, wantsNoMotion, () => true)
  const isMoving = count > 1 && !isPointed && !isFocused && !isStopped && !isCalm
  const show = useCallback(
    (next: number) =>
      setState(({ shown }) => ({ chosen: next, shown: shown.includes(next) ? shown : [...shown, next] })),
    [],
  )
  useEffect(() => {
    if (!isMoving) return undefined
    // Each slide has its full time, also one that was chosen by hand.
    const timer = setInterval(() => document.hidden || show(placeAfter(place, 1, count)), slideMs)
    return () => clearInterval(timer)
  }, [isMoving, place, count, show])
  return {
    place,
    wasShown: (one) => one === place || shown.includes(one),
    show,
    turn: (steps) => show(placeAfter(place, steps, count)),
    isMoving,
    point,
    focus,
    isStopped,
    stop,
    isCalm,
  }
}

const motion = '(prefers-reduced-motion: reduce)'

function wantsNoMotion(): boolean {
  return matchMedia(motion).matches
}

function followMotion(changed: () => void): () => void {
  const query = matchMedia(motion)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
