import * as mupdf from 'mupdf'
import type { Size } from '../converter.ts'
import type { PageFrame } from './page-frame.ts'

export function rasterize(list: mupdf.DisplayList, frame: PageFrame, targetWidth: number) {
  const { width, height } = pixelSize(frame, targetWidth)
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, [0, 0, width, height], false)
  try {
    pixmap.clear(255)
    const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap)
    const zoom = width / frame.width
    list.run(device, mupdf.Matrix.concat(frame.matrix, mupdf.Matrix.scale(zoom, zoom)))
    device.close()
    device.destroy()
    return { width, height, data: Uint8Array.from(pixmap.getPixels()) }
  } finally {
    pixmap.destroy()
  }
}

export function blankPixels(size: Size, targetWidth: number) {
  const { width, height } = pixelSize(size, targetWidth)
  return { width, height, data: new Uint8Array(width * height * 3).fill(255) }
}

const maxPixels = 24_000_000

function pixelSize(size: Size, targetWidth: number): Size {
  const ratio = size.height / size.width
  const width = Math.max(1, Math.round(Math.min(targetWidth, Math.sqrt(maxPixels / ratio))))
  return { width, height: Math.max(1, Math.round(width * ratio)) }
}
