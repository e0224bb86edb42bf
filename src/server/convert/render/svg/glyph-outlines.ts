import * as mupdf from 'mupdf'
import { attempt } from '../failures.ts'
import { shortPath } from './path.ts'
import { readTags } from './tags.ts'

/** Outlines are written in whole steps of so many to an em: a fortieth of a point at most, up to `largest`. */
export const outlineSteps = 500
/** Points to an em. Larger letters would show how coarse the steps are. */
export const largest = 24

/** A glyph's outline as path data, empty for a blank; one object for each glyph, however often it is asked for. */
export interface Outline {
  data: Uint8Array
}

/** The glyphs of one font that were met so far. */
export interface FontOutlines {
  font: mupdf.Font
  /** Its glyphs are no outlines but drawings of their own (Type 3): they cannot be drawn from here. */
  unusual: boolean
  glyphs: Map<number, Outline>
}

/** What is known about the glyphs of an open document: each is printed and shortened once, not once a page. */
export interface Outlines {
  of(font: mupdf.Font): FontOutlines
  /** Called for a glyph that is not known yet: known from the next `print` on. */
  ask(from: FontOutlines, glyph: number): Outline
  /** Gets the outlines that were asked for. Whether all are there: if not, some font turned out to be unusual. */
  print(): boolean
  /** Lets go of what is too much; between two pages only. */
  trim(): void
  close(): void
}

export function openOutlines(mostFonts = 64, mostGlyphs = 20_000): Outlines {
  // By the font's address. The font is kept with it, so no other can come to lie at the same one.
  const fonts = new Map<number, FontOutlines>()
  let asked: { from: FontOutlines; glyph: number; outline: Outline }[] = []
  let known = 0

  const forget = (address: number, { font, glyphs }: FontOutlines) => {
    fonts.delete(address)
    known -= glyphs.size
    font.destroy()
  }
  const outlines: Outlines = {
    of(font) {
      const address = Number(font.pointer)
      let found = fonts.get(address)
      // One of our own: the given one is shared with whoever walks a text next.
      found ??= { font: new mupdf.Font(font.pointer), unusual: false, glyphs: new Map() }
      // The ones used last at the end.
      fonts.delete(address)
      fonts.set(address, found)
      return found
    },
    ask(from, glyph) {
      const outline = { data: none }
      from.glyphs.set(glyph, outline)
      known++
      asked.push({ from, glyph, outline })
      return outline
    },
    print() {
      const wanted = asked
      asked = []
      if (wanted.length === 0) return true
      let all = true
      const printed = attempt(() => printOutlines(wanted)) ?? []
      for (const [n, { from, outline }] of wanted.entries()) {
        const data = printed[n]
        if (data) outline.data = data
        else {
          from.unusual = true
          all = false
        }
      }
      return all
    },
    trim() {
      for (const [address, font] of fonts) {
        if (fonts.size <= mostFonts && known <= mostGlyphs) break
        forget(address, font)
      }
    },
    close() {
      for (const [address, font] of fonts) forget(address, font)
    },
  }
  return outlines
}

const none = new Uint8Array(0)
const identity: mupdf.Matrix = [1, 0, 0, 1, 0, 0]

/** In the order given; nothing for a glyph that is not drawn as one path. */
function printOutlines(wanted: readonly { from: FontOutlines; glyph: number }[]): (Uint8Array | undefined)[] {
  const buffer = new mupdf.Buffer()
  const text = new mupdf.Text()
  try {
    for (const { from, glyph } of wanted) text.showGlyph(from.font, identity, glyph, 32)
    const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path')
    const device = writer.beginPage([0, 0, 1, 1])
    device.fillText(text, identity, mupdf.ColorSpace.DeviceGray, [0], 1)
    writer.endPage()
    writer.close()
    device.destroy()
    writer.destroy()
    return readOutlines(Buffer.from(buffer.asUint8Array()), wanted.length)
  } finally {
    text.destroy()
    buffer.destroy()
  }
}

function readOutlines(svg: Buffer, count: number): (Uint8Array | undefined)[] {
  const byId = new Map<string, Uint8Array>()
  const used: (Uint8Array | undefined)[] = []
  let plain = true
  readTags(svg, (tag) => {
    const data = tag.range('d')
    const id = tag.value('id')
    if (tag.name === 'path' && id !== undefined && data)
      byId.set(`#${id}`, shortPath(svg, data[0], data[1], outlineSteps))
    else if (tag.name === 'use') {
      used.push(byId.get(tag.value('xlink:href') ?? ''))
      // A glyph that is drawn somewhere else than asked for is none of those we know how to place.
      if (tag.range('transform')) plain = false
    }
  })
  return plain && used.length === count ? used : Array.from({ length: count }, () => undefined)
}
