import { useEffect, useEffectEvent, type RefObject } from 'react'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import { zoomByPinch } from '#web/features/documents/reader/pages/zoom.ts'

interface Fingers {
  x: number
  y: number
  distance: number
}

/**
 * Two fingers zoom the pages alone: the browser's own pinch would enlarge the toolbar too, and push it out of the screen.
 * While the fingers move, the column is transformed; then the pages are laid out in the new size.
 */
export function usePinch(column: RefObject<HTMLElement | null>, reader: ReaderState): void {
  const finish = useEffectEvent((start: Fingers, end: Fingers) => {
    const { percent, fitPercent, pointAt, zoomAround } = reader
    const zoom = zoomByPinch(percent, end.distance / start.distance, fitPercent)
    zoomAround(zoom, { ...pointAt(start.x, start.y), clientX: end.x, clientY: end.y })
  })
  useEffect(() => {
    const element = column.current
    if (!element) return undefined
    let start: Fingers | undefined
    let end: Fingers | undefined
    const onStart = (event: TouchEvent) => {
      if (event.touches.length !== 2) return
      // Neither scrolls nor zooms the window.
      if (event.cancelable) event.preventDefault()
      start = end = readFingers(event.touches)
      const { left, top } = element.getBoundingClientRect()
      element.style.transformOrigin = `${start.x - left}px ${start.y - top}px`
    }
    const onMove = (event: TouchEvent) => {
      if (!start || event.touches.length !== 2) return
      if (event.cancelable) event.preventDefault()
      end = readFingers(event.touches)
      const [x, y] = [end.x - start.x, end.y - start.y]
      element.style.transform = `translate(${x}px, ${y}px) scale(${end.distance / start.distance})`
    }
    const onEnd = () => {
      if (!start || !end) return
      element.style.transform = ''
      element.style.transformOrigin = ''
      finish(start, end)
      start = end = undefined
    }
    const active = { passive: false }
    element.addEventListener('touchstart', onStart, active)
    element.addEventListener('touchmove', onMove, active)
    element.addEventListener('touchend', onEnd)
    element.addEventListener('touchcancel', onEnd)
    return () => {
      element.removeEventListener('touchstart', onStart)
      element.removeEventListener('touchmove', onMove)
      element.removeEventListener('touchend', onEnd)
      element.removeEventListener('touchcancel', onEnd)
    }
  }, [column])
}

function readFingers({ 0: first, 1: second }: TouchList): Fingers {
  const [ax, ay] = [first?.clientX ?? 0, first?.clientY ?? 0]
  const [bx, by] = [second?.clientX ?? ax, second?.clientY ?? ay]
  return { x: (ax + bx) / 2, y: (ay + by) / 2, distance: Math.max(1, Math.hypot(ax - bx, ay - by)) }
}
