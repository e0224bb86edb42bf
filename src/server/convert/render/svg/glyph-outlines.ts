import * as mupdf from 'mupdf'
import { attempt } from '../failures.ts'
import { identity } from './matrix.ts'
import { shortPath } from './compact/path.ts'
import { readTags } from './sanitize/tags.ts'

/** The resolution of outlines, which are integers: a twentieth of a point at most, for glyphs up to `maxGlyphSize`. */
export const outlineUnitsPerEm = 500
/** In points. On larger glyphs the resolution would be visible. */
export const maxGlyphSize = 24

/** The path data of a glyph, empty for a blank one; always the same object for the same glyph. */
export interface Outline {
  data: Uint8Array
}

/** The glyphs of one font that occurred so far. */
export interface FontOutlines {
  font: mupdf.Font
  /** A Type 3 font: its glyphs are drawings, not outlines. */
  isUnsupported: boolean
  glyphs: Map<number, Outline>
}

/** The glyph outlines of an open document: each is extracted and compacted once, not once for each page. */
export interface OutlineCache {
  fontOf(font: mupdf.Font): FontOutlines
  /** For a glyph that is not cached: its outline is there after the next `load`. */
  request(font: FontOutlines, glyph: number): Outline
  /** Extracts the requested outlines. False if a font proved unsupported. */
  load(): boolean
  /** Drops the least recently used fonts above the limits; only between two pages. */
  evict(): void
  close(): void
}

interface OutlineRequest {
  font: FontOutlines
  glyph: number
  outline: Outline
}

export function createOutlineCache(maxFonts = 64, maxGlyphs = 20_000): OutlineCache {
  // By the font's address, least recently used first. The reference to the font keeps the address from being reused.
  const fonts = new Map<number, FontOutlines>()
  let requests: OutlineRequest[] = []
  let glyphCount = 0

  const drop = (address: number, { font, glyphs }: FontOutlines) => {
    fonts.delete(address)
    glyphCount -= glyphs.size
    font.destroy()
  }
  return {
    fontOf(font) {
      const address = Number(font.pointer)
      let cached = fonts.get(address)
      // A reference of our own: MuPDF reuses the object that it passes.
      cached ??= { font: new mupdf.Font(font.pointer), isUnsupported: false, glyphs: new Map() }
      fonts.delete(address)
      fonts.set(address, cached)
      return cached
    },
    request(font, glyph) {
      const outline = { data: noData }
      font.glyphs.set(glyph, outline)
      glyphCount++
      requests.push({ font, glyph, outline })
      return outline
    },
    load() {
      const batch = requests
      requests = []
      if (batch.length === 0) return true
      let isComplete = true
      const outlines = attempt(() => printGlyphs(batch)) ?? []
      for (const [n, { font, outline }] of batch.entries()) {
        const data = outlines[n]
        if (data) outline.data = data
        else {
          font.isUnsupported = true
          isComplete = false
        }
      }
      return isComplete
    },
    evict() {
      for (const [address, font] of fonts) {
        if (fonts.size <= maxFonts && glyphCount <= maxGlyphs) break
        drop(address, font)
      }
    },
    close() {
      for (const [address, font] of fonts) drop(address, font)
    },
  }
}

const noData = new Uint8Array(0)

/** In the same order; undefined for a glyph that MuPDF does not draw as one path. */
function printGlyphs(requests: readonly OutlineRequest[]): (Uint8Array | undefined)[] {
  const buffer = new mupdf.Buffer()
  const text = new mupdf.Text()
  try {
    for (const { font, glyph } of requests) text.showGlyph(font.font, identity, glyph, 32)
    const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path')
    const device = writer.beginPage([0, 0, 1, 1])
    device.fillText(text, identity, mupdf.ColorSpace.DeviceGray, [0], 1)
    writer.endPage()
    writer.close()
    device.destroy()
    writer.destroy()
    return parseOutlines(Buffer.from(buffer.asUint8Array()), requests.length)
  } finally {
    text.destroy()
    buffer.destroy()
  }
}

function parseOutlines(svg: Buffer, count: number): (Uint8Array | undefined)[] {
  const byId = new Map<string, Uint8Array>()
  const outlines: (Uint8Array | undefined)[] = []
  let isTransformed = false
  readTags(svg, (tag) => {
    const data = tag.range('d')
    const id = tag.value('id')
    if (tag.name === 'path' && id !== undefined && data)
      byId.set(`#${id}`, shortPath(svg, data[0], data[1], outlineUnitsPerEm))
    else if (tag.name === 'use') {
      outlines.push(byId.get(tag.value('xlink:href') ?? ''))
      // MuPDF draws some fonts with a transform of their own, which is not known here.
      if (tag.range('transform')) isTransformed = true
    }
  })
  return !isTransformed && outlines.length === count ? outlines : Array.from({ length: count }, () => undefined)
}
