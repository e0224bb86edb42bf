import * as mupdf from 'mupdf'
import { attempt } from './failures.ts'
import { photoMark } from './svg/ground.ts'

/**
 * Photographs on a page keep their colours on every ground, scans of paper do not: only their pixels tell which is which.
 * They are marked where the page is rendered, as the colours are changed elsewhere (svg/ground.ts), without decoding.
 */

/** The length in characters of base64: smaller pictures fill no page. */
const minLength = 6000
/** A page of a photo album has as many; further pictures are left without a mark. */
const maxPictures = 12
const maxPixels = 25_000_000
const maxSamples = 5000
/** Pixels that are lighter, and less coloured, are paper. */
const paperLightness = 200
const paperChroma = 36
/** The share of paper in a scan: a page full of text is mostly white. */
const minPaper = 0.45

/** The page with a mark at each photograph. */
export function markPhotos(svg: Buffer): Buffer {
  const parts: Uint8Array[] = []
  let written = 0
  let pictures = 0
  for (let at = svg.indexOf(start); at !== -1 && pictures < maxPictures; at = svg.indexOf(start, at + 1)) {
    const from = svg.indexOf(',', at) + 1
    const to = svg.indexOf('"', from)
    if (to - from < minLength) continue
    pictures += 1
    const bytes = Buffer.from(svg.toString('latin1', from, to), 'base64')
    if (attempt(() => isPhoto(bytes)) !== true) continue
    parts.push(svg.subarray(written, at), Buffer.from(photoMark))
    written = at
  }
  return parts.length === 0 ? svg : Buffer.concat([...parts, svg.subarray(written)])
}

const start = ' href="data:image/'

function isPhoto(bytes: Uint8Array): boolean {
  const image = new mupdf.Image(bytes)
  try {
    return image.getWidth() * image.getHeight() <= maxPixels && paperShare(image) < minPaper
  } finally {
    image.destroy()
  }
}

function paperShare(image: mupdf.Image): number {
  const own = image.toPixmap()
  const rgb = own.convertToColorSpace(mupdf.ColorSpace.DeviceRGB, false)
  try {
    const data = rgb.getPixels()
    const size = rgb.getNumberOfComponents()
    const pixels = Math.floor(data.length / size)
    const step = Math.max(1, Math.floor(pixels / maxSamples))
    let [paper, samples] = [0, 0]
    for (let pixel = 0; pixel < pixels; pixel += step) {
      const [red = 0, green = 0, blue = 0] = data.subarray(pixel * size, pixel * size + 3)
      const lightest = Math.max(red, green, blue)
      samples += 1
      if (lightest > paperLightness && lightest - Math.min(red, green, blue) < paperChroma) paper += 1
    }
    return paper / Math.max(1, samples)
  } finally {
    own.destroy()
    rgb.destroy()
  }
}
