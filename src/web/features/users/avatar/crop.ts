/** Which part of a picture is kept: a square, in the picture's own pixels. */
export interface Crop {
  left: number
  top: number
  side: number
}

interface Size {
  width: number
  height: number
}

interface Point {
  x: number
  y: number
}

/** Nobody is recognised in fewer pixels. */
const smallestSide = 64
const closest = 8

/** As much as fits, from the middle. */
export function largestCrop(size: Size): Crop {
  const side = Math.min(size.width, size.height)
  return { left: (size.width - side) / 2, top: (size.height - side) / 2, side }
}

/** By how much the picture is moved under the square, in parts of the square. */
export function moved(crop: Crop, size: Size, by: Point): Crop {
  return inside({ ...crop, left: crop.left - by.x * crop.side, top: crop.top - by.y * crop.side }, size)
}

/** What lies at `at`, in parts of the square, stays there. */
export function zoomed(crop: Crop, size: Size, zoom: number, at: Point = { x: 0.5, y: 0.5 }): Crop {
  const side = Math.min(size.width, size.height) / Math.min(Math.max(zoom, 1), farthestZoom(size))
  const gone = crop.side - side
  return inside({ left: crop.left + gone * at.x, top: crop.top + gone * at.y, side }, size)
}

export function zoomOf({ side }: Crop, { width, height }: Size): number {
  return Math.min(width, height) / side
}

/** Small pictures cannot be looked at so closely. */
export function farthestZoom({ width, height }: Size): number {
  return Math.min(Math.max(Math.min(width, height) / smallestSide, 1), closest)
}

/** Where the whole picture lies, so that the square of a box of any size shows just the crop. */
export function placement({ left, top, side }: Crop, { width }: Size): { width: string; left: string; top: string } {
  const part = (pixels: number) => `${(pixels / side) * 100}%`
  return { width: part(width), left: part(-left), top: part(-top) }
}

function inside({ left, top, side }: Crop, { width, height }: Size): Crop {
  return { left: within(left, width - side), top: within(top, height - side), side }
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), Math.max(most, 0))
}
