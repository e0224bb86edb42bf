import type { Range } from '#web/features/documents/reader/table/geometry.ts'

export interface CellPosition {
  row: number
  column: number
}

/** From the cell where it began to the one that moves; the latter is the active cell. */
export interface Selection {
  anchor: CellPosition
  active: CellPosition
}

interface TableSize {
  rows: number
  columns: number
  /** Rows of a screenful. */
  page: number
}

export function selectCell(cell: CellPosition): Selection {
  return { anchor: cell, active: cell }
}

export function selectedRows({ anchor, active }: Selection): Range {
  return { first: Math.min(anchor.row, active.row), last: Math.max(anchor.row, active.row) }
}

export function selectedColumns({ anchor, active }: Selection): Range {
  return { first: Math.min(anchor.column, active.column), last: Math.max(anchor.column, active.column) }
}

interface PressedKey {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

/** Undefined for keys that do not move the active cell. Shift extends the selection. */
export function moveByKey(selection: Selection, pressed: PressedKey, size: TableSize): Selection | undefined {
  const target = moveTarget(selection.active, pressed, size)
  if (!target) return undefined
  const active = {
    row: Math.min(size.rows - 1, Math.max(0, target.row)),
    column: Math.min(size.columns - 1, Math.max(0, target.column)),
  }
  return { active, anchor: pressed.shiftKey ? selection.anchor : active }
}

function moveTarget(
  { row, column }: CellPosition,
  { key, ctrlKey, metaKey }: PressedKey,
  { rows, columns, page }: TableSize,
): CellPosition | undefined {
  const isFar = ctrlKey || metaKey
  switch (key) {
    case 'ArrowUp':
      return { row: isFar ? 0 : row - 1, column }
    case 'ArrowDown':
      return { row: isFar ? rows : row + 1, column }
    case 'ArrowLeft':
      return { row, column: isFar ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: isFar ? columns : column + 1 }
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 }
    case 'End':
      return { row: isFar ? rows : row, column: columns }
    case 'PageUp':
      return { row: row - page, column }
    case 'PageDown':
      return { row: row + page, column }
    default:
      return undefined
  }
}
