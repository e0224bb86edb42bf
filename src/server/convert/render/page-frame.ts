import type { Size } from '../converter.ts'

/** How a page of a document is shown: its size for people, and the matrix that takes its own points there. */
export interface Frame extends Size {
  scale: number
  matrix: [number, number, number, number, number, number]
}

const widest = 2000
const longestRatio = 20
const a4: readonly [number, number, number, number] = [0, 0, 595, 842]

/**
 * Page boxes are a stranger's numbers: ten million points wide, or a thousand times as high as wide. Wide ones are
 * scaled down, extreme ratios get an empty margin.
 */
export function frameOf(bounds: readonly [number, number, number, number]): Frame {
  const [left, top, right, bottom] = isBox(bounds) ? bounds : a4
  const ownWidth = right - left
  const ownHeight = bottom - top
  const width = Math.max(ownWidth, ownHeight / longestRatio)
  const height = Math.max(ownHeight, ownWidth / longestRatio)
  const scale = width > widest ? widest / width : width < 1 ? 1 / width : 1
  return {
    width: rounded(width * scale),
    height: rounded(height * scale),
    scale,
    matrix: [scale, 0, 0, scale, -left * scale, -top * scale],
  }
}

function isBox([left, top, right, bottom]: readonly [number, number, number, number]): boolean {
  const numbers = [left, top, right, bottom].every((n) => Number.isFinite(n))
  return numbers && right - left > 1e-3 && bottom - top > 1e-3
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100
}
