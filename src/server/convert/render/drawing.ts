import { constants, gzipSync } from 'node:zlib'
import * as mupdf from 'mupdf'
import { cairoPage } from './cairo.ts'
import { attempt, rethrowFatal } from './failures.ts'
import { replacementImages } from './four-inks.ts'
import type { Outlines } from './svg/glyph-outlines.ts'
import { minify, TooComplex } from './svg/minify.ts'
import type { Held } from './open-documents.ts'
import type { Frame } from './page-frame.ts'
import { pixelsOf } from './pixels.ts'
import { picturePage } from './plain-pages.ts'
import { type Marked, runMarked } from './svg/text-marks.ts'
import { webp } from './webp.ts'

export function drawing(held: Held, list: mupdf.DisplayList, frame: Frame): Uint8Array | 'failed' | 'tooComplex' {
  try {
    const { bytes, marked } = printed(list, frame, held.outlines)
    const replaceImage = replacementImages(list)
    const svg = zipped(minify(bytes, { ...frame, glyphs: held.glyphs, ...(marked && { marked }), replaceImage }))
    return svg.length > zippedBytes ? 'tooComplex' : svg
  } catch (error) {
    rethrowFatal(error)
    return error instanceof TooComplex ? 'tooComplex' : 'failed'
  } finally {
    held.outlines.trim()
  }
}

export async function byCairo(path: string, number: number, frame: Frame): Promise<Uint8Array | undefined> {
  const drawn = await cairoPage(path, number, rawBytes)
  if (!drawn) return undefined
  try {
    const view = { width: frame.width / frame.scale, height: frame.height / frame.scale }
    const replaceImage = () => {
      throw new TooComplex('an image in printing inks')
    }
    const svg = zipped(minify(drawn, { ...frame, view, glyphs: new Map(), replaceImage }))
    return svg.length > zippedBytes ? undefined : svg
  } catch {
    return undefined
  }
}

export async function asPicture(list: mupdf.DisplayList, frame: Frame): Promise<Uint8Array | undefined> {
  const pixels = attempt(() => pixelsOf(list, frame, pictureWidth))
  return pixels && zipped(picturePage(frame, await webp(pixels)))
}

export function zipped(svg: string | Buffer): Uint8Array {
  return gzipSync(svg, zipping)
}

const rawBytes = 20_000_000
const zippedBytes = 3_000_000
const pictureWidth = 1400
/** Among digits short repetitions are not worth their place: as small as the usual level 6, in two thirds of its time. */
const zipping = { level: 4, strategy: constants.Z_FILTERED, chunkSize: 262_144 }

interface Printed {
  bytes: Buffer
  marked?: Marked
}

/** The page as the library prints it: with marks in place of its texts wherever that is possible. */
function printed(list: mupdf.DisplayList, frame: Frame, outlines: Outlines): Printed {
  // A font is known to be unusual only after its glyphs were asked for: the second time its texts are drawn as they are.
  for (let attempts = 0; attempts < 2; attempts++) {
    try {
      const drawn = print(frame, (device) => runMarked(list, device, frame.matrix, outlines))
      if (outlines.print()) return { bytes: drawn.bytes, marked: drawn.result }
    } catch (error) {
      rethrowFatal(error)
      if (error instanceof TooComplex) throw error
      break
    }
  }
  return print(frame, (device) => list.run(device, frame.matrix))
}

function print<T>(frame: Frame, draw: (device: mupdf.Device) => T): { bytes: Buffer; result: T } {
  const buffer = new mupdf.Buffer()
  try {
    const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path')
    const device = writer.beginPage([0, 0, frame.width, frame.height])
    const result = draw(device)
    writer.endPage()
    writer.close()
    device.destroy()
    writer.destroy()
    if (buffer.getLength() > rawBytes) throw new TooComplex('too long')
    // A copy: the library's memory moves when it grows, and replacing an image may make it grow.
    return { bytes: Buffer.from(buffer.asUint8Array()), result }
  } finally {
    buffer.destroy()
  }
}
