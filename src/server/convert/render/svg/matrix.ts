import { type Cursor, readNumber, shortNumber, significant } from './numbers.ts'

export type Matrix = [number, number, number, number, number, number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Parses `matrix(…)`; undefined for other transforms. */
export function readMatrix(bytes: Uint8Array, from: number, to: number): Matrix | undefined {
  // "m", "(" and ")"
  if (bytes[from] !== 109 || bytes[from + 6] !== 40 || bytes[to - 1] !== 41) return undefined
  const cursor: Cursor = { at: from + 7, to: to - 1 }
  const matrix: Matrix = [0, 0, 0, 0, 0, 0]
  for (let n = 0; n < 6; n++) {
    const value = readNumber(bytes, cursor)
    if (!Number.isFinite(value)) return undefined
    matrix[n] = value
  }
  return cursor.at === cursor.to ? matrix : undefined
}

export function writeMatrix([a, b, c, d, e, f]: Matrix): string {
  if (a === 1 && b === 0 && c === 0 && d === 1) return `translate(${shortNumber(e, 3)} ${shortNumber(f, 3)})`
  return `matrix(${[a, b, c, d].map((n) => significant(n, 6)).join(' ')} ${shortNumber(e, 3)} ${shortNumber(f, 3)})`
}

/** The transform that applies `first`, then `second`. */
export function concat(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first
  return [
    a * second[0] + b * second[2],
    a * second[1] + b * second[3],
    c * second[0] + d * second[2],
    c * second[1] + d * second[3],
    e * second[0] + f * second[2] + second[4],
    e * second[1] + f * second[3] + second[5],
  ]
}

export function isSingular([a, b, c, d]: Matrix): boolean {
  return a * d === b * c
}

/** The mean factor by which lengths grow. */
export function meanScale([a, b, c, d]: Matrix): number {
  return Math.hypot(a, b, c, d) / Math.SQRT2
}
