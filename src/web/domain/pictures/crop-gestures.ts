import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { moveCrop, zoomCrop, currentZoom, type Crop, type Point, type Size } from '#web/domain/pictures/crop.ts'

const step = 0.04
const zoomStep = 1.1

/**
 * Moves and zooms a picture under the crop by pointer, wheel, touch or keys. `stage` is the box that shows the crop,
 * `grip` the element with the handlers. Changes are functions: several may come before the next render.
 */
export function useCropGestures(size: Size, onCrop: (change: (crop: Crop) => Crop) => void) {
  const stage = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, Point>())
  const zoom = (factor: number, at?: Point) =>
    onCrop((crop) => zoomCrop(crop, size, currentZoom(crop, size) * factor, at))

  const wheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 100) * 0.003), positionIn(stage, event))
  })
  useEffect(() => {
    const box = stage.current
    // React's wheel listeners are passive: they cannot keep the page from scrolling.
    box?.addEventListener('wheel', wheel, { passive: false })
    return () => box?.removeEventListener('wheel', wheel)
  }, [])

  const down = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, positionIn(stage, event))
  }
  const up = (event: PointerEvent) => void pointers.current.delete(event.pointerId)
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const [first, second] = pointers.current.values()
    const now = positionIn(stage, event)
    pointers.current.set(event.pointerId, now)
    const by = { x: now.x - before.x, y: now.y - before.y }
    if (!first || !second) return onCrop((last) => moveCrop(last, size, by))
    const other = before === first ? second : first
    const midpoint = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    const spread = distance(now, other) / Math.max(distance(before, other), 0.01)
    onCrop((last) => moveCrop(last, size, { x: by.x / 2, y: by.y / 2 }))
    zoom(spread, midpoint)
  }
  const press = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    if (typeof act === 'number') return zoom(act)
    onCrop((before) => moveCrop(before, size, act))
  }
  const grip = {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: up,
    onKeyDown: press,
  }
  return { stage, grip }
}

export function describeCrop(crop: Crop, size: Size): string {
  const { left, top } = crop
  return `裁剪范围：放大 ${currentZoom(crop, size).toFixed(1)} 倍，距左边 ${Math.round(left)} 像素，距上边 ${Math.round(top)} 像素。方向键移动，加减键缩放`
}

const keys: Record<string, Point | number | undefined> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
  '+': zoomStep,
  '=': zoomStep,
  '-': 1 / zoomStep,
}

/** The pointer's position as a fraction of the stage. */
function positionIn(
  stage: { current: HTMLElement | null },
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
) {
  const { left = 0, top = 0, width = 1, height = 1 } = stage.current?.getBoundingClientRect() ?? {}
  return { x: (clientX - left) / width, y: (clientY - top) / height }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
