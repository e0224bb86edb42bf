import { useRef, type PointerEvent } from 'react'

const maxDelayMs = 300
const maxDistance = 30

/** Two taps with one finger, and where in the window. */
export function useDoubleTap(onDoubleTap: (clientX: number, clientY: number) => void): (event: PointerEvent) => void {
  const last = useRef({ at: 0, x: 0, y: 0 })
  return (event) => {
    if (event.pointerType !== 'touch' || !event.isPrimary) return
    const { at, x, y } = last.current
    const isSecond = event.timeStamp - at < maxDelayMs && Math.hypot(event.clientX - x, event.clientY - y) < maxDistance
    last.current = isSecond ? { at: 0, x: 0, y: 0 } : { at: event.timeStamp, x: event.clientX, y: event.clientY }
    if (isSecond) onDoubleTap(event.clientX, event.clientY)
  }
}
