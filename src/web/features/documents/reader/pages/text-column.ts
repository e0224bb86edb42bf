import type { TextLine } from '#web/features/documents/reader/text/text-lines.ts'

export interface TextColumn {
  left: number
  right: number
}

const nearestLines = 9

/**
 * The column of text at a point of the page, in the units of the lines. The lines nearest to the point decide together:
 * one of them may be a heading over several columns, or the short last line of a paragraph.
 */
export function textColumnAt(lines: readonly TextLine[], x: number, y: number): TextColumn | undefined {
  const near = lines
    .filter(([left, , width]) => left <= x && x <= left + width)
    .toSorted((a, b) => distance(a, y) - distance(b, y))
    .slice(0, nearestLines)
  if (near.length === 0) return undefined
  const left = quantile(
    near.map((line) => line[0]),
    0.25,
  )
  const right = quantile(
    near.map((line) => line[0] + line[2]),
    0.75,
  )
  return { left, right }
}

function distance([, top, , height]: TextLine, y: number): number {
  return Math.abs(top + height / 2 - y)
}

function quantile(values: number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * fraction)] ?? 0
}
