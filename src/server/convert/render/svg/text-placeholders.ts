import { randomInt } from 'node:crypto'
import * as mupdf from 'mupdf'
import { type FontOutlines, maxGlyphSize, type Outline, type OutlineCache } from './glyph-outlines.ts'
import { identity } from './matrix.ts'

/** Glyphs of one font and size, with positions in the coordinates of the text. */
export interface Span {
  matrix: mupdf.Matrix
  outlines: Outline[]
  xs: number[]
  ys: number[]
}

/** A filled text that was replaced by a placeholder. */
export interface PlaceholderText {
  matrix: mupdf.Matrix
  spans: Span[]
}

export interface PlaceholderTexts {
  texts: PlaceholderText[]
  /** What the path data of a placeholder begins with; the index of its text follows. */
  prefix: string
}

/**
 * Draws a page, with a placeholder for every filled text: writing the outlines of its glyphs for each page, and parsing
 * them again, would be most of the work. The placeholder is a path with the colour of the text, inside the same clips,
 * masks and groups. Everything else, and texts in unsupported fonts, are drawn by MuPDF. Throws where something cannot be
 * passed on; the page has to be drawn without placeholders then.
 */
export function drawWithPlaceholders(
  list: mupdf.DisplayList,
  target: mupdf.Device,
  matrix: mupdf.Matrix,
  outlines: OutlineCache,
): PlaceholderTexts {
  const texts: PlaceholderText[] = []
  // Random, so that no document can contain a path that is taken for a placeholder.
  const secret = randomInt(-999_999, -100_000)
  let failure: { error: unknown } | undefined
  const placeholderPath = (index: number): mupdf.Path => {
    const path = new mupdf.Path()
    path.moveTo(secret, index)
    path.lineTo(secret, index + 1)
    return path
  }

  // An exception must not pass through WebAssembly frames: MuPDF's own exception stack would be out of order.
  const guarded = (owned: readonly { destroy(): void }[], work: () => void): void => {
    try {
      if (!failure) work()
      for (const object of owned) object.destroy()
    } catch (error) {
      failure ??= { error }
    }
  }

  const device = new mupdf.Device({
    fillText(text, ctm, colorspace, color, alpha) {
      guarded([text, colorspace], () => {
        const spans = readSpans(text, maxGlyphSize / maxScale(ctm), outlines)
        if (!spans) return target.fillText(text, ctm, colorspace, toColor(color), alpha)
        if (texts.length >= maxTexts) throw new Error('too many texts')
        const path = placeholderPath(texts.length)
        target.fillPath(path, false, identity, colorspace, toColor(color), alpha)
        path.destroy()
        texts.push({ matrix: ctm, spans })
      })
    },
    fillPath(path, evenOdd, ctm, colorspace, color, alpha) {
      guarded([path, colorspace], () => target.fillPath(path, evenOdd, ctm, colorspace, toColor(color), alpha))
    },
    strokePath(path, stroke, ctm, colorspace, color, alpha) {
      guarded([path, stroke, colorspace], () => target.strokePath(path, stroke, ctm, colorspace, toColor(color), alpha))
    },
    clipPath(path, evenOdd, ctm) {
      guarded([path], () => target.clipPath(path, evenOdd, ctm))
    },
    clipStrokePath(path, stroke, ctm) {
      guarded([path, stroke], () => target.clipStrokePath(path, stroke, ctm))
    },
    strokeText(text, stroke, ctm, colorspace, color, alpha) {
      guarded([text, stroke, colorspace], () => target.strokeText(text, stroke, ctm, colorspace, toColor(color), alpha))
    },
    clipText(text, ctm) {
      guarded([text], () => target.clipText(text, ctm))
    },
    clipStrokeText(text, stroke, ctm) {
      guarded([text, stroke], () => target.clipStrokeText(text, stroke, ctm))
    },
    fillShade(shade, ctm, alpha) {
      unownedShades.push(shade)
      guarded([], () => target.fillShade(shade, ctm, alpha))
    },
    fillImage(image, ctm, alpha) {
      guarded([image], () => target.fillImage(image, ctm, alpha))
    },
    fillImageMask(image, ctm, colorspace, color, alpha) {
      guarded([image, colorspace], () => target.fillImageMask(image, ctm, colorspace, toColor(color), alpha))
    },
    clipImageMask(image, ctm) {
      guarded([image], () => target.clipImageMask(image, ctm))
    },
    popClip() {
      guarded([], () => target.popClip())
    },
    beginMask(box, luminosity, colorspace) {
      // The SVG writer ignores the colour, which may be missing.
      guarded([colorspace], () => target.beginMask(box, luminosity, mupdf.ColorSpace.DeviceGray, [0]))
    },
    endMask() {
      guarded([], () => target.endMask())
    },
    beginGroup(box, colorspace, isolated, knockout, blendmode, alpha) {
      guarded([colorspace], () => target.beginGroup(box, colorspace, isolated, knockout, blendmode, alpha))
    },
    endGroup() {
      guarded([], () => target.endGroup())
    },
    beginTile(area, view, xstep, ystep, ctm, id, document) {
      let cached = 0
      guarded([], () => {
        cached = target.beginTile(area, view, xstep, ystep, ctm, id, document)
      })
      return cached
    },
    endTile() {
      guarded([], () => target.endTile())
    },
  })
  try {
    list.run(device, matrix)
    device.close()
  } finally {
    device.destroy()
  }
  if (failure) throw failure.error
  return { texts, prefix: `M${secret} ` }
}

/** MuPDF writes numbers with six digits. */
const maxTexts = 99_000
/** MuPDF hands these out without a reference count: a finalizer would free them twice, so they are never collected. */
const unownedShades: mupdf.Shade[] = []

/** The factor by which lengths grow at most. */
function maxScale([a, b, c, d]: mupdf.Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d))
}

function toColor(color: number[]): mupdf.Color {
  const [a = 0, b = 0, c = 0, d = 0] = color
  if (color.length === 1) return [a]
  if (color.length === 3) return [a, b, c]
  if (color.length === 4) return [a, b, c, d]
  throw new Error(`a colour of ${color.length} components`)
}

/** Undefined where the text is left to MuPDF. */
function readSpans(text: mupdf.Text, maxSize: number, outlines: OutlineCache): Span[] | undefined {
  const spans: Span[] = []
  let font: FontOutlines | undefined
  let span: Span | undefined
  let isUnsupported = false
  let failure: { error: unknown } | undefined
  text.walk({
    beginSpan(spanFont, matrix) {
      try {
        font = outlines.fontOf(spanFont)
        isUnsupported ||= font.isUnsupported || !(maxScale(matrix) <= maxSize)
        span = { matrix, outlines: [], xs: [], ys: [] }
        spans.push(span)
      } catch (error) {
        failure ??= { error }
      }
    },
    showGlyph(_font, matrix, glyph) {
      // Negative: a character without a glyph of its own, such as the second one of a ligature.
      if (glyph < 0 || !font || !span || isUnsupported) return
      span.outlines.push(font.glyphs.get(glyph) ?? outlines.request(font, glyph))
      span.xs.push(matrix[4])
      span.ys.push(matrix[5])
    },
  })
  if (failure) throw failure.error
  return isUnsupported ? undefined : spans
}
