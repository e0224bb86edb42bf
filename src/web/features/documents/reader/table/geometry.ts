import type { HiddenRows, MergedCells, TableRow } from '#shared/tables.ts'

/** From the first to the last, both included; `last` before `first` is nothing. */
export interface Range {
  first: number
  last: number
}

/** A, B … Z, AA, AB … */
export function columnName(number: number): string {
  const letter = String.fromCharCode(65 + (number % 26))
  return number < 26 ? letter : columnName(Math.floor(number / 26) - 1) + letter
}

/** The number that the author knows a row by: hidden rows have theirs. */
export function rowNumber(gaps: readonly HiddenRows[], row: number): number {
  let number = row + 1
  for (const [before, count] of gaps) {
    if (before > row) break
    number += count
  }
  return number
}

/** Where each column starts, and where the last one ends. */
export function columnOffsets(widths: readonly number[]): number[] {
  const offsets = [0]
  for (const width of widths) offsets.push((offsets.at(-1) ?? 0) + width)
  return offsets
}

/** The columns that have a part between two positions. */
export function columnsBetween(offsets: readonly number[], from: number, to: number): Range {
  const lastColumn = offsets.length - 2
  return {
    first: Math.min(Math.max(0, lastColumn), countUpTo(offsets, from) - 1),
    last: Math.min(lastColumn, countUpTo(offsets, to) - 1),
  }
}

/** How many offsets are not greater; at least one. */
function countUpTo(offsets: readonly number[], position: number): number {
  let [low, high] = [1, offsets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}

/** Merged cells of which a part is in the area. */
export function mergesIn(merges: readonly MergedCells[], rows: Range, columns: Range): MergedCells[] {
  return merges.filter(
    ([row, column, height, width]) =>
      row <= rows.last && row + height > rows.first && column <= columns.last && column + width > columns.first,
  )
}

/** The cell that is shown at a position: that which the merged cells start with, or the one that is there. */
export function cellAt(merges: readonly MergedCells[], row: number, column: number): { row: number; column: number } {
  const merge = merges.find(
    ([top, left, height, width]) => row >= top && row < top + height && column >= left && column < left + width,
  )
  return merge ? { row: merge[0], column: merge[1] } : { row, column }
}

export function isNumeric(text: string): boolean {
  return /^[-+−]?[¥￥$€£]?\s?\d[\d,]*(\.\d+)?\s?%?$/.test(text)
}

/** A first row of names stays in sight while the others are scrolled. */
export function isHeaderRow(row: TableRow | undefined, columns: number, merges: readonly MergedCells[]): boolean {
  if (!row || row.length === 0 || merges.some(([top, , height]) => top === 0 && height > 1)) return false
  const named = row.filter((text) => text.trim() !== '' && !isNumeric(text))
  return named.length === row.length && row.length >= Math.ceil(columns / 2)
}

/** Tabs between cells and line ends between rows, as spreadsheets paste them. */
export function toTsv(rows: readonly TableRow[], { first, last }: Range): string {
  const cell = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return rows
    .map((row) => Array.from({ length: last - first + 1 }, (_, index) => cell(row[first + index] ?? '')).join('\t'))
    .join('\n')
}
