/** How a picture lies on its stage: from the middle, turned, mirrored and enlarged. */
export interface View {
  /** 1 is as large as the stage allows, and no larger than it is. */
  scale: number
  /** In degrees; it goes on past a whole turn, so that turning is never seen to run back. */
  turn: number
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

export const atRest: View = { scale: 1, turn: 0, flipX: false, flipY: false, x: 0, y: 0 }

const least = 0.2
const most = 20

/** Larger or smaller by a factor; the point, seen from the middle of the stage, stays where it is. */
export function zoomed(view: View, factor: number, at: Point = { x: 0, y: 0 }): View {
  const scale = Math.min(most, Math.max(least, view.scale * factor))
  const by = scale / view.scale
  return { ...view, scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

export function zoomedTo(view: View, scale: number, at?: Point): View {
  return zoomed(view, scale / view.scale, at)
}

/** By quarters, to the right. */
export function turned(view: View, quarters: number): View {
  return { ...view, turn: view.turn + quarters * 90, x: 0, y: 0 }
}

export function flipped(view: View, axis: 'x' | 'y'): View {
  // Mirrored as one sees it, however the picture is turned.
  const isAcross = Math.abs(view.turn / 90) % 2 === 1
  return (axis === 'x') !== isAcross ? { ...view, flipX: !view.flipX } : { ...view, flipY: !view.flipY }
}

export function moved(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y }
}

/** No further to a side than its own edge: what fits the stage stays in its middle. `size` is the picture's at scale 1. */
export function held(view: View, size: Size, stage: Size): View {
  const { x, y } = reach(view, size, stage)
  return { ...view, x: Math.min(x, Math.max(-x, view.x)), y: Math.min(y, Math.max(-y, view.y)) }
}

/** How far the picture can be moved from the middle, either way. */
export function reach(view: View, size: Size, stage: Size): Point {
  const isAcross = Math.abs(view.turn / 90) % 2 === 1
  const [width, height] = isAcross ? [size.height, size.width] : [size.width, size.height]
  return {
    x: Math.max(0, (width * view.scale - stage.width) / 2),
    y: Math.max(0, (height * view.scale - stage.height) / 2),
  }
}

export function transformOf({ scale, turn, flipX, flipY, x, y }: View): string {
  const [across, down] = [flipX ? -scale : scale, flipY ? -scale : scale]
  return `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${across}, ${down})`
}
