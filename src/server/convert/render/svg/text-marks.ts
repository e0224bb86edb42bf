import { randomInt } from 'node:crypto'
import * as mupdf from 'mupdf'
import { type FontOutlines, largest, type Outline, type Outlines } from './glyph-outlines.ts'

/** Glyphs of one font and size, placed in the text's own points. */
export interface Span {
  matrix: mupdf.Matrix
  outlines: Outline[]
  xs: number[]
  ys: number[]
}

/** A filled text that was left out of the drawing. */
export interface MarkedText {
  matrix: mupdf.Matrix
  spans: Span[]
}

export interface Marked {
  texts: MarkedText[]
  /** What the path data of a mark starts with; its text's index follows. */
  sign: string
}

/**
 * Draws a page, but where a text is filled it draws a mark: printing the outlines of each page's glyphs anew, and reading
 * them again, would be most of the work. The mark stands where the text would, with its colour, inside the same clips,
 * masks and groups. Everything else, and texts in unusual fonts, are drawn as they are. Fails where something cannot be
 * handed on; the page has to be drawn without marks then.
 */
export function runMarked(
  list: mupdf.DisplayList,
  target: mupdf.Device,
  matrix: mupdf.Matrix,
  outlines: Outlines,
): Marked {
  const texts: MarkedText[] = []
  // A number that no document can know: what it draws itself is never taken for a mark.
  const secret = randomInt(-999_999, -100_000)
  let failure: { error: unknown } | undefined
  const mark = (index: number): mupdf.Path => {
    const path = new mupdf.Path()
    path.moveTo(secret, index)
    path.lineTo(secret, index + 1)
    return path
  }

  // Nothing may be thrown through the library's own calls: it would lose count of where it is.
  const guarded = (held: readonly { destroy(): void }[], work: () => void): void => {
    try {
      if (!failure) work()
      for (const one of held) one.destroy()
    } catch (error) {
      failure ??= { error }
    }
  }

  const device = new mupdf.Device({
    fillText(text, ctm, colorspace, color, alpha) {
      guarded([text, colorspace], () => {
        const spans = spansOf(text, largest / sizeOf(ctm), outlines)
        if (!spans) return target.fillText(text, ctm, colorspace, given(color), alpha)
        if (texts.length >= mostTexts) throw new Error('too many texts')
        const path = mark(texts.length)
        target.fillPath(path, false, identity, colorspace, given(color), alpha)
        path.destroy()
        texts.push({ matrix: ctm, spans })
      })
    },
    fillPath(path, evenOdd, ctm, colorspace, color, alpha) {
      guarded([path, colorspace], () => target.fillPath(path, evenOdd, ctm, colorspace, given(color), alpha))
    },
    strokePath(path, stroke, ctm, colorspace, color, alpha) {
      guarded([path, stroke, colorspace], () => target.strokePath(path, stroke, ctm, colorspace, given(color), alpha))
    },
    clipPath(path, evenOdd, ctm) {
      guarded([path], () => target.clipPath(path, evenOdd, ctm))
    },
    clipStrokePath(path, stroke, ctm) {
      guarded([path, stroke], () => target.clipStrokePath(path, stroke, ctm))
    },
    strokeText(text, stroke, ctm, colorspace, color, alpha) {
      guarded([text, stroke, colorspace], () => target.strokeText(text, stroke, ctm, colorspace, given(color), alpha))
    },
    clipText(text, ctm) {
      guarded([text], () => target.clipText(text, ctm))
    },
    clipStrokeText(text, stroke, ctm) {
      guarded([text, stroke], () => target.clipStrokeText(text, stroke, ctm))
    },
    fillShade(shade, ctm, alpha) {
      handedOut.push(shade)
      guarded([], () => target.fillShade(shade, ctm, alpha))
    },
    fillImage(image, ctm, alpha) {
      guarded([image], () => target.fillImage(image, ctm, alpha))
    },
    fillImageMask(image, ctm, colorspace, color, alpha) {
      guarded([image, colorspace], () => target.fillImageMask(image, ctm, colorspace, given(color), alpha))
    },
    clipImageMask(image, ctm) {
      guarded([image], () => target.clipImageMask(image, ctm))
    },
    popClip() {
      guarded([], () => target.popClip())
    },
    beginMask(box, luminosity, colorspace) {
      // The writer has no use for the colour, which may be missing.
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
  return { texts, sign: `M${secret} ` }
}

/** Printed numbers have six digits. */
const mostTexts = 99_000
const identity: mupdf.Matrix = [1, 0, 0, 1, 0, 0]
/** These come without a reference of their own: were they collected, they would be freed twice. */
const handedOut: mupdf.Shade[] = []

/** How many points a point becomes at most. */
function sizeOf([a, b, c, d]: mupdf.Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d))
}

function given(color: number[]): mupdf.Color {
  const [a = 0, b = 0, c = 0, d = 0] = color
  if (color.length === 1) return [a]
  if (color.length === 3) return [a, b, c]
  if (color.length === 4) return [a, b, c, d]
  throw new Error(`a colour of ${color.length} inks`)
}

/** Nothing where the text has to be drawn by the library. */
function spansOf(text: mupdf.Text, mostSize: number, outlines: Outlines): Span[] | undefined {
  const spans: Span[] = []
  let font: FontOutlines | undefined
  let span: Span | undefined
  let unusual = false
  let failure: { error: unknown } | undefined
  text.walk({
    beginSpan(given, matrix) {
      try {
        font = outlines.of(given)
        unusual ||= font.unusual || !(sizeOf(matrix) <= mostSize)
        span = { matrix, outlines: [], xs: [], ys: [] }
        spans.push(span)
      } catch (error) {
        failure ??= { error }
      }
    },
    showGlyph(_font, matrix, glyph) {
      // Below zero: a letter that has no glyph of its own, as the second one of a ligature.
      if (glyph < 0 || !font || !span || unusual) return
      span.outlines.push(font.glyphs.get(glyph) ?? outlines.ask(font, glyph))
      span.xs.push(matrix[4])
      span.ys.push(matrix[5])
    },
  })
  if (failure) throw failure.error
  return unusual ? undefined : spans
}
