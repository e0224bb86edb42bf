/** The offset, rotation, mirroring and scale of a picture on its stage. */
export interface View {
  /** 1 fits the stage, and is never larger than the picture itself. */
  scale: number
  /** In degrees, beyond 360 too: the CSS transition must not run backwards. */
  rotation: number
  flipX: boolean
  flipY: boolean
  x: number
  y: number
}

export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export const initialView: View = { scale: 1, rotation: 0, flipX: false, flipY: false, x: 0, y: 0 }

const minScale = 0.2
const maxScale = 20

/** Zooms by a factor around a point, which is relative to the middle of the stage. */
export function zoomBy(view: View, factor: number, at: Point = { x: 0, y: 0 }): View {
  const scale = Math.min(maxScale, Math.max(minScale, view.scale * factor))
  const by = scale / view.scale
  return { ...view, scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

export function zoomTo(view: View, scale: number, at?: Point): View {
  return zoomBy(view, scale / view.scale, at)
}

/** By quarter turns, clockwise. */
export function rotate(view: View, quarters: number): View {
  return { ...view, rotation: view.rotation + quarters * 90, x: 0, y: 0 }
}

export function flip(view: View, axis: 'x' | 'y'): View {
  // On a rotated picture the axes are swapped.
  const isAcross = Math.abs(view.rotation / 90) % 2 === 1
  return (axis === 'x') !== isAcross ? { ...view, flipX: !view.flipX } : { ...view, flipY: !view.flipY }
}

export function moveBy(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y }
}

/** A picture moves no further than its edges, and one that fits stays in the middle. `size` is the picture's at scale 1. */
export function clampToStage(view: View, size: Size, stage: Size): View {
  const { x, y } = maxOffset(view, size, stage)
  return { ...view, x: Math.min(x, Math.max(-x, view.x)), y: Math.min(y, Math.max(-y, view.y)) }
}

/** How far the picture can be moved from the middle in each direction. */
export function maxOffset(view: View, size: Size, stage: Size): Point {
  const isAcross = Math.abs(view.rotation / 90) % 2 === 1
  const [width, height] = isAcross ? [size.height, size.width] : [size.width, size.height]
  return {
    x: Math.max(0, (width * view.scale - stage.width) / 2),
    y: Math.max(0, (height * view.scale - stage.height) / 2),
  }
}

export function toTransform({ scale, rotation, flipX, flipY, x, y }: View): string {
  const [across, down] = [flipX ? -scale : scale, flipY ? -scale : scale]
  return `translate(${x}px, ${y}px) rotate(${rotation}deg) scale(${across}, ${down})`
}
