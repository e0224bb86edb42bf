import type { Block } from '#shared/reflow.ts'
import type { Row } from './rows.ts'

const minRows = 2

/** The table that begins with the first of these groups of rows, and of how many groups it consists. */
export function toTable(groups: readonly (readonly Row[])[]): { block: Block; length: number } | undefined {
  const tabular = groups.findIndex((rows) => rows.length !== 1 || (rows[0]?.cells.length ?? 0) < 2)
  const length = tabular === -1 ? groups.length : tabular
  if (length < minRows) return undefined
  const rows = groups.slice(0, length).flat()
  const columns = columnStarts(rows)
  return { block: { kind: 'table', hasHead: false, rows: rows.map((row) => toCells(row, columns)) }, length }
}

/** Where columns begin: the left edges of cells, without those that differ by less than a character. */
function columnStarts(rows: readonly Row[]): number[] {
  const edges = rows.flatMap(({ height, cells }) => cells.map(({ x }) => ({ x, height }))).toSorted((a, b) => a.x - b.x)
  const starts: number[] = []
  for (const { x, height } of edges) if (x - (starts.at(-1) ?? -Infinity) > 1.5 * height) starts.push(x)
  return starts
}

function toCells({ height, cells }: Row, columns: readonly number[]): string[][] {
  const row = columns.map((): string[] => [])
  for (const { x, text } of cells) {
    const column = columns.findLastIndex((start) => start <= x + 0.5 * height)
    const cell = row[Math.max(0, column)]
    if (cell) cell.push(cell.length > 0 ? ` ${text}` : text)
  }
  return row
}
