import * as mupdf from 'mupdf'
import type { Margins } from '../converter.ts'
import type { PageFrame } from './page-frame.ts'

/** In pixels: small enough to be drawn in a few milliseconds; anything that is drawn still darkens a pixel. */
const scanWidth = 240
const maxScanHeight = 1200
/** Rounding may take one level off white. */
const blank = 254

export const noMargins: Margins = [0, 0, 0, 0]

/** The empty edges of a page, found on a small greyscale picture of it: white shapes and clipped ones are no content. */
export function measureMargins(list: mupdf.DisplayList, frame: PageFrame): Margins {
  const { pixels, width, height } = scanPage(list, frame)
  return emptyEdges(pixels, width, height)
}

/** A small greyscale picture of a page: a byte for each pixel, 255 for white. */
export interface PageScan {
  pixels: ArrayLike<number>
  width: number
  height: number
}

export function scanPage(list: mupdf.DisplayList, frame: PageFrame): PageScan {
  const zoom = Math.min(scanWidth / frame.width, maxScanHeight / frame.height)
  const width = Math.max(1, Math.ceil(frame.width * zoom))
  const height = Math.max(1, Math.ceil(frame.height * zoom))
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceGray, [0, 0, width, height], false)
  try {
    pixmap.clear(255)
    const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap)
    list.run(device, mupdf.Matrix.concat(frame.matrix, mupdf.Matrix.scale(zoom, zoom)))
    device.close()
    device.destroy()
    return { pixels: Uint8Array.from(pixmap.getPixels()), width, height }
  } finally {
    pixmap.destroy()
  }
}

/** As fractions of the picture's width and height; all of it on each side of a blank picture. */
export function emptyEdges(pixels: ArrayLike<number>, width: number, height: number): Margins {
  let [left, right, top, bottom] = [width, -1, -1, -1]
  for (let y = 0; y < height; y += 1) {
    const row = y * width
    let first = 0
    while (first < width && (pixels[row + first] ?? 0) >= blank) first += 1
    if (first === width) continue
    let last = width - 1
    while ((pixels[row + last] ?? 0) >= blank) last -= 1
    if (top < 0) top = y
    bottom = y
    left = Math.min(left, first)
    right = Math.max(right, last)
  }
  if (top < 0) return [1, 1, 1, 1]
  return [left / width, top / height, (width - 1 - right) / width, (height - 1 - bottom) / height]
}
