import * as mupdf from 'mupdf'
import type { Size } from '../converter.ts'
import type { Frame } from './page-frame.ts'

export function pixelsOf(list: mupdf.DisplayList, frame: Frame, wanted: number) {
  const { width, height } = pixelSize(frame, wanted)
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

export function blankPixels(size: Size, wanted: number) {
  const { width, height } = pixelSize(size, wanted)
  return { width, height, data: new Uint8Array(width * height * 3).fill(255) }
}

const mostPixels = 24_000_000

function pixelSize(size: Size, wanted: number): Size {
  const ratio = size.height / size.width
  const width = Math.max(1, Math.round(Math.min(wanted, Math.sqrt(mostPixels / ratio))))
  return { width, height: Math.max(1, Math.round(width * ratio)) }
}
