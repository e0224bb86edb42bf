import { memo } from 'react'
import type { MergedCells, TableRow, TableSheet } from '#shared/tables.ts'
import { cellAt, columnName, isNumeric, type Range, rowNumber } from '#web/features/documents/reader/table/geometry.ts'
import {
  type CellPosition,
  selectedColumns,
  selectedRows,
  type Selection,
} from '#web/features/documents/reader/table/selection.ts'
import { rowHeight } from '#web/features/documents/reader/table/use-window.ts'
import { cx } from '#web/ui/class-names.ts'

interface GridRowProps {
  /** The id of the grid. */
  grid: string
  sheet: TableSheet
  row: number
  /** Undefined while it is being loaded. */
  values: TableRow | undefined
  top: number
  left: number
  offsets: readonly number[]
  columns: Range
  merges: readonly MergedCells[]
  selection: Selection
  hits: ReadonlySet<string>
  currentHit: CellPosition | undefined
  isHeader?: boolean
}

// Opaque: merged cells lie above others.
const hitClass = 'bg-[color-mix(in_srgb,var(--surface),rgb(255_200_0)_32%)]'

export function cellId(grid: string, { row, column }: CellPosition): string {
  return `${grid}-${row}-${column}`
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- only rows and columns in sight are rendered, each at its place: the elements of a table cannot be laid out so */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { grid, sheet, row, values, top, left, offsets, columns, merges, selection, hits, currentHit, isHeader } = props
  const [rowsSelected, columnsSelected] = [selectedRows(selection), selectedColumns(selection)]
  const isRowSelected = row >= rowsSelected.first && row <= rowsSelected.last
  const number = rowNumber(sheet.gaps, row)
  const starts = merges.filter(([first]) => first === row)
  const shown = new Set(starts.map(([, column]) => column))
  for (let column = columns.first; column <= columns.last; column += 1) {
    const { row: first, column: start } = cellAt(merges, row, column)
    if (first === row && start === column) shown.add(column)
  }
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-busy={values === undefined || undefined}
      className={cx('absolute inset-x-0', isHeader && 'font-semibold shadow-[0_1px_0_var(--edge)]')}
      style={{ top, height: rowHeight }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={cx(
          'sticky left-0 z-10 flex h-full items-center justify-center border-r border-b border-line text-xs tabular-nums',
          isRowSelected ? 'bg-accent-soft text-ink' : 'bg-sunken text-muted',
        )}
        style={{ width: left }}
      >
        {number}
      </div>
      {[...shown].map((column) => {
        const [, , height = 1, width = 1] = starts.find(([, start]) => start === column) ?? []
        const text = values?.[column] ?? ''
        const isActive = selection.active.row === row && selection.active.column === column
        const isSelected = isRowSelected && column >= columnsSelected.first && column <= columnsSelected.last
        const isHit = hits.has(`${row}:${column}`)
        const isCurrent = currentHit?.row === row && currentHit.column === column
        return (
          <div
            key={column}
            role="gridcell"
            id={cellId(grid, { row, column })}
            aria-colindex={column + 2}
            aria-selected={isSelected}
            aria-label={text === '' ? `${columnName(sheet.columns[column]?.number ?? column)}${number} 空` : undefined}
            {...(height > 1 && { 'aria-rowspan': height })}
            {...(width > 1 && { 'aria-colspan': width })}
            data-row={row}
            data-column={column}
            data-hit={isCurrent ? 'current' : isHit ? 'hit' : undefined}
            className={cx(
              'absolute top-0 flex items-center overflow-hidden border-r border-b border-line px-2',
              isNumeric(text) && !isHeader && 'justify-end tabular-nums',
              height > 1 || width > 1 ? 'z-1 justify-center' : '',
              isHit ? hitClass : isSelected && !isActive ? 'bg-accent-soft' : isHeader ? 'bg-sunken' : 'bg-surface',
              isActive && 'z-2 outline-2 -outline-offset-2 outline-accent',
              isCurrent && 'z-2 outline-2 -outline-offset-2 outline-warning',
            )}
            style={{
              left: left + (offsets[column] ?? 0),
              width: (offsets[column + width] ?? 0) - (offsets[column] ?? 0),
              height: height * rowHeight,
            }}
          >
            <span className="truncate">{text}</span>
          </div>
        )
      })}
    </div>
  )
})
