import { useRef, type PointerEvent } from 'react'

const maxDelayMs = 300
const maxDistance = 30

/** Two taps with one finger; `onDoubleTap` gets the horizontal position as a fraction of the width. Pinching is left to the browser. */
export function useDoubleTap(onDoubleTap: (position: number) => void): (event: PointerEvent) => void {
  const last = useRef({ at: 0, x: 0, y: 0 })
  return (event) => {
    if (event.pointerType !== 'touch' || !event.isPrimary) return
    const { at, x, y } = last.current
    const isSecond = event.timeStamp - at < maxDelayMs && Math.hypot(event.clientX - x, event.clientY - y) < maxDistance
    last.current = isSecond ? { at: 0, x: 0, y: 0 } : { at: event.timeStamp, x: event.clientX, y: event.clientY }
    const { left, width } = event.currentTarget.getBoundingClientRect()
    if (isSecond) onDoubleTap((event.clientX - left) / Math.max(1, width))
  }
}
