import { outlineSteps } from './glyph-outlines.ts'
import { writeMatrix } from './allowed.ts'
import type { Matrix } from './numbers.ts'
import type { Span } from './text-marks.ts'

/** The matrix of a group whose glyphs are written in so many steps to an em. */
export function inSteps([a, b, c, d, e, f]: Matrix, steps: number): string {
  return writeMatrix([a / steps, b / steps, c / steps, d / steps, e, f])
}

export function concat(one: Matrix, two: Matrix): Matrix {
  const [a, b, c, d, e, f] = one
  return [
    a * two[0] + b * two[2],
    a * two[1] + b * two[3],
    c * two[0] + d * two[2],
    c * two[1] + d * two[3],
    e * two[0] + f * two[2] + two[4],
    e * two[1] + f * two[3] + two[5],
  ]
}

/** Apart from what single-precision numbers lose on the way. */
export function sameShape(one: Matrix, other: Matrix): boolean {
  const close = (Math.abs(one[0]) + Math.abs(one[1]) + Math.abs(one[2]) + Math.abs(one[3])) * 2e-6
  for (let n = 0; n < 4; n++) if (Math.abs((one[n] ?? 0) - (other[n] ?? 0)) > close) return false
  return true
}

/** Whether so many glyphs follow on the same line that a group of their own is shorter than a height for each. */
export function startsLine({ matrix, xs, ys }: Span, n: number): boolean {
  const last = n + 6
  return last < xs.length && onLine(matrix, (xs[last] ?? 0) - (xs[n] ?? 0), (ys[last] ?? 0) - (ys[n] ?? 0))
}

/** Whether a place is not on the line of a glyph with this matrix. */
export function offLine(matrix: Matrix, e: number, f: number): boolean {
  return !onLine(matrix, e - matrix[4], f - matrix[5])
}

/** Whether that step leads along the line that glyphs of this matrix stand on. */
function onLine([a, b]: Matrix, dx: number, dy: number): boolean {
  return Math.abs(a * dy - b * dx) < (a * a + b * b) / (2 * outlineSteps)
}
