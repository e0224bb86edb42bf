import { useRef, type PointerEvent } from 'react'

const withinMs = 300
const withinPx = 30

/** Two taps of one finger at one place; `share` is where in the width. Pinching stays with the browser, which does it best. */
export function useDoubleTap(act: (share: number) => void): (event: PointerEvent) => void {
  const last = useRef({ at: 0, x: 0, y: 0 })
  return (event) => {
    if (event.pointerType !== 'touch' || !event.isPrimary) return
    const { at, x, y } = last.current
    const isSecond = event.timeStamp - at < withinMs && Math.hypot(event.clientX - x, event.clientY - y) < withinPx
    last.current = isSecond ? { at: 0, x: 0, y: 0 } : { at: event.timeStamp, x: event.clientX, y: event.clientY }
    const { left, width } = event.currentTarget.getBoundingClientRect()
    if (isSecond) act((event.clientX - left) / Math.max(1, width))
  }
}
