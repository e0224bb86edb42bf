/** Which part of a picture is kept, in the picture's own pixels. Its proportion never changes. */
export interface Crop {
  left: number
  top: number
  width: number
  height: number
}

export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** Nobody recognises anything in fewer pixels. */
const smallestSide = 64
const closest = 8

/** As much as fits of this proportion (width to height), from the middle. */
export function largestCrop(size: Size, ratio = 1): Crop {
  const width = Math.min(size.width, size.height * ratio)
  const height = Math.min(size.height, size.width / ratio)
  return { left: (size.width - width) / 2, top: (size.height - height) / 2, width, height }
}

/** By how much the picture is moved under the crop, in parts of the crop. */
export function moved(crop: Crop, size: Size, by: Point): Crop {
  return inside({ ...crop, left: crop.left - by.x * crop.width, top: crop.top - by.y * crop.height }, size)
}

/** What lies at `at`, in parts of the crop, stays there. */
export function zoomed(crop: Crop, size: Size, zoom: number, at: Point = { x: 0.5, y: 0.5 }): Crop {
  const largest = largestCrop(size, crop.width / crop.height)
  const factor = Math.min(Math.max(zoom, 1), farthestZoom(crop, size))
  const [width, height] = [largest.width / factor, largest.height / factor]
  const left = crop.left + (crop.width - width) * at.x
  const top = crop.top + (crop.height - height) * at.y
  return inside({ left, top, width, height }, size)
}

export function zoomOf(crop: Crop, size: Size): number {
  return largestCrop(size, crop.width / crop.height).width / crop.width
}

/** Small pictures cannot be looked at so closely. */
export function farthestZoom(crop: Crop, size: Size): number {
  const { width, height } = largestCrop(size, crop.width / crop.height)
  return Math.min(Math.max(Math.min(width, height) / smallestSide, 1), closest)
}

/** Where the whole picture lies, so that a box of the crop's proportion shows just the crop. */
export function placement(crop: Crop, size: Size): { width: string; left: string; top: string } {
  const part = (pixels: number, whole: number) => `${(pixels / whole) * 100}%`
  return {
    width: part(size.width, crop.width),
    left: part(-crop.left, crop.width),
    top: part(-crop.top, crop.height),
  }
}

function inside({ left, top, width, height }: Crop, size: Size): Crop {
  return { left: within(left, size.width - width), top: within(top, size.height - height), width, height }
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), Math.max(most, 0))
}
