import { useEffect, useEffectEvent, useRef, type PointerEvent, type RefObject } from 'react'
import type { Point } from '#web/ui/image-viewer-state.ts'

interface Deeds {
  zoom: (factor: number, at: Point) => void
  move: (by: Point) => void
  /** Pushed aside with a finger, by so much. */
  swipe: (by: number) => void
  /** Pressed beside the picture. */
  leave: () => void
  /** Whether there is more of the picture than is seen: then a finger moves it. */
  isLarge: boolean
}

const stepOfWheel = 0.0022
const mostOfWheel = 60
const swipeLength = 60
const stillness = 6

/** Wheel, drag, pinch and swipe on the stage. Points are told from its middle. */
export function useGestures(stage: RefObject<HTMLElement | null>, deeds: Deeds) {
  const fingers = useRef(new Map<number, Point>())
  const begun = useRef<Point>({ x: 0, y: 0 })
  const isDrag = useRef(false)
  const fromMiddle = ({ x, y }: Point): Point => {
    const box = stage.current?.getBoundingClientRect() ?? new DOMRect()
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 }
  }
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1
    // A trackpad's pinch comes as many small steps.
    const length = Math.max(-mostOfWheel, Math.min(mostOfWheel, event.deltaY * lines)) * (event.ctrlKey ? 4 : 1)
    deeds.zoom(Math.exp(-length * stepOfWheel), fromMiddle({ x: event.clientX, y: event.clientY }))
  })
  useEffect(() => {
    const box = stage.current
    // React's own listener could not keep the page from zooming.
    box?.addEventListener('wheel', onWheel, { passive: false })
    return () => box?.removeEventListener('wheel', onWheel)
  }, [stage])

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, placeOf(event))
    isDrag.current = fingers.current.size > 1
    begun.current = placeOf(event)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = placeOf(event)
    if (distance(now, begun.current) > stillness) isDrag.current = true
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    if (other) {
      deeds.zoom(distance(now, other) / Math.max(1, distance(before, other)), fromMiddle(between(before, other)))
      deeds.move(apart(between(now, other), between(before, other)))
    } else if (isDrag.current && deeds.isLarge) deeds.move(apart(now, before))
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.delete(event.pointerId) || fingers.current.size > 0) return
    const { x, y } = apart(placeOf(event), begun.current)
    const isAside = Math.abs(x) > swipeLength && Math.abs(x) > Math.abs(y) * 2
    if (isAside && isDrag.current && !deeds.isLarge && event.pointerType === 'touch') deeds.swipe(x)
    else if (!isDrag.current && !isOnPicture(event)) deeds.leave()
  }
  const onPointerCancel = (event: PointerEvent<HTMLElement>) => {
    fingers.current.delete(event.pointerId)
  }
  return { handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }, fromMiddle }
}

/** The pointer is held by the stage, so what lies under it must be asked for. */
function isOnPicture({ clientX, clientY }: { clientX: number; clientY: number }): boolean {
  return document.elementFromPoint(clientX, clientY) instanceof HTMLImageElement
}

function placeOf({ clientX, clientY }: { clientX: number; clientY: number }): Point {
  return { x: clientX, y: clientY }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function between(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

function apart(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y }
}
