import type { PageLines } from '#server/convert/converter.ts'
import { joinCode, readMonospaced, type Monospaced } from './monospaced.ts'

/** Text at one height of the page. More than one cell where wide gaps stand between its parts, as in a table. */
export interface Row {
  x: number
  y: number
  width: number
  height: number
  cells: Cell[]
}

export interface Cell {
  x: number
  right: number
  text: string
  /** The text as code, where its letters may be those of code. */
  code: Monospaced | undefined
}

/** In heights of the line. Narrower gaps are blanks between words that a justified line has stretched. */
const cellGap = 1.8
/** In heights of the line: columns of prose have longer lines than cells of a table do. */
const proseWidth = 14

/** Joins what stands beside each other: renderers break a line at wide blanks and where the font changes. */
export function toRows({ lines }: Pick<PageLines, 'lines'>): Row[] {
  const rows: Row[] = []
  const columns: number[] = []
  for (const line of lines) {
    const [x, y, width, height, text] = line
    if (width <= 0 || height <= 0) continue
    const cell = { x, right: x + width, text, code: readMonospaced(line) }
    const before = rows.at(-1)
    if (before && isSameRow(before, { x, y, width, height }, columns)) extend(before, cell, { y, height })
    else rows.push({ x, y, width, height, cells: [cell] })
  }
  return rows
}

export function rowText({ cells }: Row): string {
  return cells.map(({ text }) => text).join(' ')
}

export function rightOf({ x, width }: Row): number {
  return x + width
}

export function bottomOf({ y, height }: Row): number {
  return y + height
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** `columns` are the left edges of columns whose lines were drawn alternately; those that are seen are added. */
function isSameRow(row: Row, next: Box, columns: number[]): boolean {
  const overlap = Math.min(row.y + row.height, next.y + next.height) - Math.max(row.y, next.y)
  if (overlap < 0.6 * Math.min(row.height, next.height)) return false
  const gap = next.x - rightOf(row)
  const em = Math.min(row.height, next.height)
  if (gap < -0.5 * em) return false
  if (gap < cellGap * em) return true
  if (lastWidth(row) > proseWidth * em && next.width > proseWidth * em) columns.push(next.x)
  return !columns.some((x) => Math.abs(x - next.x) < em)
}

function lastWidth({ cells }: Row): number {
  const last = cells.at(-1)
  return last ? last.right - last.x : 0
}

function extend(row: Row, cell: Cell, { y, height }: { y: number; height: number }): void {
  const em = Math.min(row.height, height)
  const last = row.cells.at(-1)
  if (last && cell.x - last.right < cellGap * em) {
    last.code = joinCode(last, cell)
    last.text += (cell.x - last.right > 0.15 * em ? ' ' : '') + cell.text
    last.right = cell.right
  } else row.cells.push(cell)
  const bottom = Math.max(row.y + row.height, y + height)
  row.y = Math.min(row.y, y)
  row.height = bottom - row.y
  row.width = Math.max(row.x + row.width, cell.right) - row.x
}
