import type { Size } from '../converter.ts'

/** The displayed size of a page, and the matrix from the document's coordinates to it. */
export interface PageFrame extends Size {
  scale: number
  matrix: [number, number, number, number, number, number]
}

const maxWidth = 2000
const maxAspectRatio = 20
const a4: readonly [number, number, number, number] = [0, 0, 595, 842]

/**
 * Page boxes are untrusted: they may be ten million points wide, or a thousand times as high as wide. Wide pages are
 * scaled down; extreme aspect ratios are padded.
 */
export function toPageFrame(bounds: readonly [number, number, number, number]): PageFrame {
  const [left, top, right, bottom] = isBox(bounds) ? bounds : a4
  const boxWidth = right - left
  const boxHeight = bottom - top
  const width = Math.max(boxWidth, boxHeight / maxAspectRatio)
  const height = Math.max(boxHeight, boxWidth / maxAspectRatio)
  const scale = width > maxWidth ? maxWidth / width : width < 1 ? 1 / width : 1
  return {
    width: roundPoints(width * scale),
    height: roundPoints(height * scale),
    scale,
    matrix: [scale, 0, 0, scale, -left * scale, -top * scale],
  }
}

/** A part of a page in the page's proportions, as fractions of its width and height. */
export interface PageArea {
  left: number
  top: number
  share: number
}

export function cutFrame({ width, height, scale, matrix }: PageFrame, { left, top, share }: PageArea): PageFrame {
  const [a, b, c, d, x, y] = matrix
  return {
    width: width * share,
    height: height * share,
    scale,
    matrix: [a, b, c, d, x - left * width, y - top * height],
  }
}

function isBox([left, top, right, bottom]: readonly [number, number, number, number]): boolean {
  const isFinite = [left, top, right, bottom].every((n) => Number.isFinite(n))
  return isFinite && right - left > 1e-3 && bottom - top > 1e-3
}

function roundPoints(points: number): number {
  return Math.round(points * 100) / 100
}
