import { glyphTransform, hasSameShape, isOffLine } from './glyph-geometry.ts'
import type { Matrix } from '../matrix.ts'
import type { SvgWriter } from './writer.ts'

/** Writes glyphs; consecutive ones of the same size and colour share a group, and have positions in whole units. */
export interface GlyphRuns {
  /** `matrix` without its position; `paint` is the text of the attributes for the colour. */
  place(id: string, matrix: Matrix, x: number, y: number, paint: string, unitsPerEm: number): void
  /** Ends the group if the next glyph begins another line. */
  endUnlessOnLine(x: number, y: number): void
  /** Ends the group, before anything else is written. */
  end(): void
}

interface Run {
  matrix: Matrix
  paint: string
  unitsPerEm: number
}

export function glyphRuns(out: SvgWriter): GlyphRuns {
  let run: Run | undefined
  const end = () => {
    if (run) out.text('</g>')
    run = undefined
  }
  return {
    place(id, matrix, x, y, paint, unitsPerEm) {
      if (!run || run.paint !== paint || run.unitsPerEm !== unitsPerEm || !hasSameShape(run.matrix, matrix)) {
        end()
        run = { matrix: [matrix[0], matrix[1], matrix[2], matrix[3], x, y], paint, unitsPerEm }
        out.text(`<g transform="${glyphTransform(run.matrix, unitsPerEm)}"${paint}>`)
      }
      const [a, b, c, d] = run.matrix
      const dx = x - run.matrix[4]
      const dy = y - run.matrix[5]
      const inverse = unitsPerEm / (a * d - b * c)
      const unitsX = Math.round((d * dx - c * dy) * inverse)
      const unitsY = Math.round((a * dy - b * dx) * inverse)
      out.text('<use href="#')
      out.text(id)
      if (unitsX) {
        out.text('" x="')
        out.integer(unitsX)
      }
      if (unitsY) {
        out.text('" y="')
        out.integer(unitsY)
      }
      out.text('"/>')
    },
    endUnlessOnLine(x, y) {
      if (run && isOffLine(run.matrix, x, y)) end()
    },
    end,
  }
}
