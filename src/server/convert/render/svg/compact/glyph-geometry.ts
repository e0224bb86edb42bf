import { outlineUnitsPerEm } from '../glyph-outlines.ts'
import { type Matrix, writeMatrix } from '../matrix.ts'
import type { Span } from '../text-placeholders.ts'

/** The transform of a group of glyphs whose outlines have so many units to an em. */
export function glyphTransform([a, b, c, d, e, f]: Matrix, unitsPerEm: number): string {
  return writeMatrix([a / unitsPerEm, b / unitsPerEm, c / unitsPerEm, d / unitsPerEm, e, f])
}

/** Equal but for the position, within single precision. */
export function hasSameShape(one: Matrix, other: Matrix): boolean {
  const tolerance = (Math.abs(one[0]) + Math.abs(one[1]) + Math.abs(one[2]) + Math.abs(one[3])) * 2e-6
  for (let n = 0; n < 4; n++) if (Math.abs((one[n] ?? 0) - (other[n] ?? 0)) > tolerance) return false
  return true
}

/** Whether enough glyphs follow on the same line to make a new group shorter than a `y` for each of them. */
export function startsLine({ matrix, xs, ys }: Span, n: number): boolean {
  const last = n + 6
  return last < xs.length && isAlongLine(matrix, (xs[last] ?? 0) - (xs[n] ?? 0), (ys[last] ?? 0) - (ys[n] ?? 0))
}

/** Whether a position is off the baseline of a glyph with this matrix. */
export function isOffLine(matrix: Matrix, x: number, y: number): boolean {
  return !isAlongLine(matrix, x - matrix[4], y - matrix[5])
}

function isAlongLine([a, b]: Matrix, dx: number, dy: number): boolean {
  return Math.abs(a * dy - b * dx) < (a * a + b * b) / (2 * outlineUnitsPerEm)
}
