import { startsLine } from './glyph-geometry.ts'
import { type Outline, outlineUnitsPerEm } from '../glyph-outlines.ts'
import type { GlyphRuns } from './glyph-runs.ts'
import { concat, isSingular } from '../matrix.ts'
import { shortId } from './short-ids.ts'
import type { PlaceholderText, PlaceholderTexts } from '../text-placeholders.ts'
import { type SvgWriter, writePath } from './writer.ts'

export interface PlaceholderGlyphs {
  /** How many ids are taken: a, b, … */
  count: number
  /** The text that a path is the placeholder of, if it is one. */
  find(bytes: Buffer, range: readonly [from: number, to: number]): PlaceholderText | undefined
  draw(text: PlaceholderText, paint: string, runs: GlyphRuns): void
}

/** Writes the outlines of all glyphs of the texts, which `draw` then refers to. */
export function placeholderGlyphs(out: SvgWriter, { texts, prefix }: PlaceholderTexts): PlaceholderGlyphs {
  const ids = new Map<Outline, string>()
  for (const { spans } of texts)
    for (const { outlines } of spans)
      for (const outline of outlines)
        if (outline.data.length > 0 && !ids.has(outline)) ids.set(outline, shortId(ids.size))
  if (ids.size > 0) out.text('<defs>')
  for (const [{ data }, id] of ids) writePath(out, ` id="${id}" d="`, data)
  if (ids.size > 0) out.text('</defs>')
  return {
    count: ids.size,
    find(bytes, [from, to]) {
      // "M-": most paths are told apart by their first two bytes.
      if (bytes[from] !== 77 || bytes[from + 1] !== 45) return undefined
      const data = to - from < 30 ? bytes.toString('latin1', from, to) : ''
      return data.startsWith(prefix) ? texts[Number.parseInt(data.slice(prefix.length), 10)] : undefined
    },
    draw({ matrix, spans }, paint, runs) {
      for (const span of spans) {
        const shape = concat(span.matrix, matrix)
        if (isSingular(shape)) continue
        for (let n = 0; n < span.outlines.length; n++) {
          const outline = span.outlines[n]
          const id = outline && ids.get(outline)
          if (id === undefined) continue
          const textX = span.xs[n] ?? 0
          const textY = span.ys[n] ?? 0
          const x = textX * matrix[0] + textY * matrix[2] + matrix[4]
          const y = textX * matrix[1] + textY * matrix[3] + matrix[5]
          if (startsLine(span, n)) runs.endUnlessOnLine(x, y)
          runs.place(id, shape, x, y, paint, outlineUnitsPerEm)
        }
      }
    },
  }
}
