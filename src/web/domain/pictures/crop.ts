/** The part of a picture that is kept, in the picture's own pixels. Its aspect ratio never changes. */
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

/** Fewer pixels would be unrecognizable. */
const minSide = 64
const zoomLimit = 8

/** The largest centered crop of this aspect ratio (width to height). */
export function largestCrop(size: Size, ratio = 1): Crop {
  const width = Math.min(size.width, size.height * ratio)
  const height = Math.min(size.height, size.width / ratio)
  return { left: (size.width - width) / 2, top: (size.height - height) / 2, width, height }
}

/** Moves the picture under the crop, by fractions of the crop. */
export function moveCrop(crop: Crop, size: Size, by: Point): Crop {
  return clampCrop({ ...crop, left: crop.left - by.x * crop.width, top: crop.top - by.y * crop.height }, size)
}

/** Zooms around `at`, a position as a fraction of the crop. */
export function zoomCrop(crop: Crop, size: Size, zoom: number, at: Point = { x: 0.5, y: 0.5 }): Crop {
  const largest = largestCrop(size, crop.width / crop.height)
  const factor = Math.min(Math.max(zoom, 1), maxZoom(crop, size))
  const [width, height] = [largest.width / factor, largest.height / factor]
  const left = crop.left + (crop.width - width) * at.x
  const top = crop.top + (crop.height - height) * at.y
  return clampCrop({ left, top, width, height }, size)
}

export function currentZoom(crop: Crop, size: Size): number {
  return largestCrop(size, crop.width / crop.height).width / crop.width
}

/** Smaller for small pictures. */
export function maxZoom(crop: Crop, size: Size): number {
  const { width, height } = largestCrop(size, crop.width / crop.height)
  return Math.min(Math.max(Math.min(width, height) / minSide, 1), zoomLimit)
}

/** CSS that places the whole picture so that a box of the crop's aspect ratio shows just the crop. */
export function imagePlacement(crop: Crop, size: Size): { width: string; left: string; top: string } {
  const part = (pixels: number, whole: number) => `${(pixels / whole) * 100}%`
  return {
    width: part(size.width, crop.width),
    left: part(-crop.left, crop.width),
    top: part(-crop.top, crop.height),
  }
}

function clampCrop({ left, top, width, height }: Crop, size: Size): Crop {
  return { left: clamp(left, size.width - width), top: clamp(top, size.height - height), width, height }
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), Math.max(max, 0))
}
