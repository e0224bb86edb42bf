import { constants, gzipSync } from 'node:zlib'
import * as mupdf from 'mupdf'
import { runPdftocairo } from './cairo.ts'
import { cmykReplacer } from './cmyk-images.ts'
import { attempt, rethrowFatal, TooComplex } from './failures.ts'
import { imagePage } from './fallback-pages.ts'
import type { OpenDocument } from './open-documents.ts'
import type { PageFrame } from './page-frame.ts'
import { markPhotos } from './photos.ts'
import { rasterize } from './pixels.ts'
import type { OutlineCache } from './svg/glyph-outlines.ts'
import { rewriteSvg } from './svg/rewrite.ts'
import { drawWithPlaceholders, type PlaceholderTexts } from './svg/text-placeholders.ts'
import { encodeWebp } from './webp.ts'

export function renderSvg(
  { outlines, shortGlyphs }: OpenDocument,
  list: mupdf.DisplayList,
  frame: PageFrame,
): Uint8Array | 'failed' | 'tooComplex' {
  try {
    const { bytes, placeholders } = printPage(list, frame, outlines)
    const options = { ...frame, shortGlyphs, replaceImage: cmykReplacer(list), ...(placeholders && { placeholders }) }
    const svg = compressSvg(markPhotos(rewriteSvg(bytes, options)))
    return svg.length > maxCompressedBytes ? 'tooComplex' : svg
  } catch (error) {
    rethrowFatal(error)
    return error instanceof TooComplex ? 'tooComplex' : 'failed'
  } finally {
    outlines.evict()
  }
}

export async function renderWithCairo(path: string, number: number, frame: PageFrame): Promise<Uint8Array | undefined> {
  const bytes = await runPdftocairo(path, number, maxRawBytes)
  if (!bytes) return undefined
  try {
    const view = { width: frame.width / frame.scale, height: frame.height / frame.scale }
    const replaceImage = () => {
      throw new TooComplex('a CMYK image')
    }
    const page = rewriteSvg(bytes, { ...frame, view, shortGlyphs: new Map(), replaceImage })
    const svg = compressSvg(markPhotos(page))
    return svg.length > maxCompressedBytes ? undefined : svg
  } catch {
    return undefined
  }
}

export async function renderAsImage(list: mupdf.DisplayList, frame: PageFrame): Promise<Uint8Array | undefined> {
  const pixels = attempt(() => rasterize(list, frame, imageWidth))
  return pixels && compressSvg(imagePage(frame, await encodeWebp(pixels)))
}

export function compressSvg(svg: string | Buffer): Uint8Array {
  return gzipSync(svg, gzipOptions)
}

const maxRawBytes = 20_000_000
const maxCompressedBytes = 3_000_000
const imageWidth = 1400
/** For path data this filter finds fewer but better matches: as small as level 6, in two thirds of the time. */
const gzipOptions = { level: 4, strategy: constants.Z_FILTERED, chunkSize: 262_144 }

interface RawSvg {
  bytes: Buffer
  placeholders?: PlaceholderTexts
}

/** The page as MuPDF writes it, with placeholders for its texts wherever possible. */
function printPage(list: mupdf.DisplayList, frame: PageFrame, outlines: OutlineCache): RawSvg {
  // A font proves unsupported only when its outlines are loaded: the second attempt leaves its texts to MuPDF.
  for (let attempts = 0; attempts < 2; attempts++) {
    try {
      const { bytes, result } = print(frame, (device) => drawWithPlaceholders(list, device, frame.matrix, outlines))
      if (outlines.load()) return { bytes, placeholders: result }
    } catch (error) {
      rethrowFatal(error)
      if (error instanceof TooComplex) throw error
      break
    }
  }
  return print(frame, (device) => list.run(device, frame.matrix))
}

function print<T>(frame: PageFrame, draw: (device: mupdf.Device) => T): { bytes: Buffer; result: T } {
  const buffer = new mupdf.Buffer()
  try {
    const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path')
    const device = writer.beginPage([0, 0, frame.width, frame.height])
    const result = draw(device)
    writer.endPage()
    writer.close()
    device.destroy()
    writer.destroy()
    if (buffer.getLength() > maxRawBytes) throw new TooComplex('too long')
    // A copy: WebAssembly memory is detached when it grows, and replacing an image may make it grow.
    return { bytes: Buffer.from(buffer.asUint8Array()), result }
  } finally {
    buffer.destroy()
  }
}
