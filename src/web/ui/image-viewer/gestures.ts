import { useEffect, useEffectEvent, useRef, type PointerEvent, type RefObject } from 'react'
import type { Point } from '#web/ui/image-viewer/view.ts'

interface GestureHandlers {
  zoom: (factor: number, at: Point) => void
  move: (by: Point) => void
  /** By so many pixels to the side. */
  swipe: (by: number) => void
  /** Pressed beside the picture. */
  leave: () => void
  /** Whether the picture is larger than the stage: then dragging moves it. */
  isLarge: boolean
}

const zoomPerWheelPixel = 0.0022
const maxWheelDelta = 60
const minSwipe = 60
/** A pointer that moves less is a click. */
const clickTolerance = 6

/** Wheel, drag, pinch and swipe on the stage. Points are relative to its middle. */
export function useGestures(stage: RefObject<HTMLElement | null>, handlers: GestureHandlers) {
  const pointers = useRef(new Map<number, Point>())
  const start = useRef<Point>({ x: 0, y: 0 })
  const isDrag = useRef(false)
  const fromMiddle = ({ x, y }: Point): Point => {
    const box = stage.current?.getBoundingClientRect() ?? new DOMRect()
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 }
  }
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1
    // A trackpad's pinch comes as many small steps.
    const delta = Math.max(-maxWheelDelta, Math.min(maxWheelDelta, event.deltaY * lines)) * (event.ctrlKey ? 4 : 1)
    handlers.zoom(Math.exp(-delta * zoomPerWheelPixel), fromMiddle({ x: event.clientX, y: event.clientY }))
  })
  useEffect(() => {
    const box = stage.current
    // React's wheel listeners are passive: they cannot keep the page from zooming.
    box?.addEventListener('wheel', onWheel, { passive: false })
    return () => box?.removeEventListener('wheel', onWheel)
  }, [stage])

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, positionOf(event))
    isDrag.current = pointers.current.size > 1
    start.current = positionOf(event)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const now = positionOf(event)
    if (distance(now, start.current) > clickTolerance) isDrag.current = true
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, now)
    if (other) {
      handlers.zoom(distance(now, other) / Math.max(1, distance(before, other)), fromMiddle(midpoint(before, other)))
      handlers.move(difference(midpoint(now, other), midpoint(before, other)))
    } else if (isDrag.current && handlers.isLarge) handlers.move(difference(now, before))
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (!pointers.current.delete(event.pointerId) || pointers.current.size > 0) return
    const { x, y } = difference(positionOf(event), start.current)
    const isAside = Math.abs(x) > minSwipe && Math.abs(x) > Math.abs(y) * 2
    if (isAside && isDrag.current && !handlers.isLarge && event.pointerType === 'touch') handlers.swipe(x)
    else if (!isDrag.current && !isOnPicture(event)) handlers.leave()
  }
  const onPointerCancel = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId)
  }
  return { listeners: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }, fromMiddle }
}

/** The stage captures the pointer, so the event's target is always the stage. */
function isOnPicture({ clientX, clientY }: { clientX: number; clientY: number }): boolean {
  return document.elementFromPoint(clientX, clientY) instanceof HTMLImageElement
}

function positionOf({ clientX, clientY }: { clientX: number; clientY: number }): Point {
  return { x: clientX, y: clientY }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function midpoint(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

function difference(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y }
}
