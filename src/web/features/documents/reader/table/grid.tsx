import {
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import type { TableSheet } from '#shared/tables.ts'
import { ColumnHeaders } from '#web/features/documents/reader/table/column-headers.tsx'
import { cellAt, isHeaderRow, mergesIn, type Range, rowNumber } from '#web/features/documents/reader/table/geometry.ts'
import { cellId, GridRow } from '#web/features/documents/reader/table/grid-row.tsx'
import type { Rows } from '#web/features/documents/reader/table/rows.ts'
import {
  type CellPosition,
  moveByKey,
  selectCell,
  type Selection,
} from '#web/features/documents/reader/table/selection.ts'
import { letterRowHeight, rowHeight, useWindow } from '#web/features/documents/reader/table/use-window.ts'
import { usePastFirst } from '#web/features/documents/reader/view/root-marks.ts'

interface GridProps {
  id: string
  label: string
  sheet: TableSheet
  rows: Rows
  widths: readonly number[]
  onWidth: (column: number, width: number) => void
  selection: Selection
  onSelection: (selection: Selection) => void
  /** Cells to mark, as `row:column`. */
  hits: ReadonlySet<string>
  currentHit: CellPosition | undefined
  onCopy: () => void
}

/** The cells of a sheet. Only those in sight are rendered; letters, row numbers and a header row stay in sight. */
export function Grid(props: GridProps) {
  const { id, label, sheet, rows, widths, onWidth, selection, onSelection, hits, currentHit, onCopy } = props
  const { active } = selection
  const scroller = useRef<HTMLDivElement>(null)
  useSyncExternalStore(rows.subscribe, rows.version, () => 0)
  const hasHeader = sheet.rows > 1 && isHeaderRow(rows.get(sheet.id, 0), sheet.columns.length, sheet.merges)
  const frozen = useMemo(
    () => ({
      top: letterRowHeight + (hasHeader ? rowHeight : 0),
      left: Math.max(44, 20 + String(rowNumber(sheet.gaps, sheet.rows - 1)).length * 8),
      rows: hasHeader ? 1 : 0,
    }),
    [hasHeader, sheet],
  )
  const grid = useWindow({ scroller, rows: sheet.rows, widths, frozen })
  const { offsets, reveal } = grid
  // A table has no pages: a screen of rows counts as the first one.
  usePastFirst(grid.rows.first > grid.page)
  // After every render: rows that were dropped from memory, or failed and are tried again, are requested too.
  useEffect(() => {
    rows.request(sheet.id, 0, 0)
    rows.request(sheet.id, grid.rows.first, grid.rows.last)
  })
  const revealCell = useEffectEvent(reveal)
  // Not when a width changes: the reader is looking at the column, not at the active cell.
  useEffect(() => revealCell({ row: active.row, column: active.column }), [active.row, active.column])

  const select = (target: CellPosition, isExtended: boolean) =>
    onSelection(isExtended ? { anchor: selection.anchor, active: target } : selectCell(target))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // A column's handle has arrow keys of its own.
    if (event.target !== event.currentTarget) return
    const isMod = event.ctrlKey || event.metaKey
    const column = sheet.columns[active.column]
    if (event.altKey && column && (event.key === 'ArrowLeft' || event.key === 'ArrowRight'))
      onWidth(active.column, (widths[active.column] ?? 0) + (event.key === 'ArrowLeft' ? -widthStep : widthStep))
    else if (isMod && event.key.toLowerCase() === 'c') onCopy()
    else if (isMod && event.key.toLowerCase() === 'a')
      onSelection({
        anchor: { row: 0, column: 0 },
        active: { row: sheet.rows - 1, column: sheet.columns.length - 1 },
      })
    else {
      const size = { rows: sheet.rows, columns: sheet.columns.length, page: grid.page }
      const moved = event.altKey ? undefined : moveByKey(selection, event, size)
      if (!moved) return
      onSelection(moved)
    }
    event.preventDefault()
  }
  const drag = useRef(false)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const cell = findCell(event.target)
    if (!cell || event.button !== 0) return
    // With a finger a drag scrolls.
    drag.current = event.pointerType === 'mouse'
    if (event.pointerType === 'mouse') select(cell, event.shiftKey)
  }
  const onPointerOver = (event: PointerEvent<HTMLElement>) => {
    const cell = drag.current && event.buttons === 1 ? findCell(event.target) : undefined
    if (cell && (cell.row !== active.row || cell.column !== active.column)) select(cell, true)
  }
  const onClick = (event: { target: EventTarget; shiftKey: boolean }) => {
    const cell = drag.current ? undefined : findCell(event.target)
    drag.current = false
    if (cell) select(cell, event.shiftKey)
  }

  const merges = useMemo(() => mergesIn(sheet.merges, grid.rows, grid.columns), [sheet, grid.rows, grid.columns])
  // Merged cells may start above the rows in sight.
  const rendered = [
    ...new Set([...merges.map(([row]) => row).filter((row) => row >= frozen.rows), ...numbers(grid.rows)]),
  ]
  const height = frozen.top + (sheet.rows - frozen.rows) * rowHeight
  const shared = {
    grid: id,
    sheet,
    offsets,
    columns: grid.columns,
    merges: sheet.merges,
    left: frozen.left,
    selection,
    hits,
    currentHit,
  }
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={sheet.rows + 1}
      aria-colcount={sheet.columns.length + 1}
      aria-multiselectable
      aria-activedescendant={
        isRendered(active, grid, frozen.rows) ? cellId(id, cellAt(sheet.merges, active.row, active.column)) : undefined
      }
      tabIndex={0}
      onScroll={grid.measure}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerOver={onPointerOver}
      onClick={onClick}
      className="relative min-h-0 flex-1 overflow-auto bg-canvas text-sm select-none focus-visible:-outline-offset-2 [overflow-anchor:none]"
    >
      <div className="relative" style={{ width: frozen.left + (offsets.at(-1) ?? 0), height }}>
        <div className="sticky top-0 z-20" style={{ height: frozen.top }}>
          <ColumnHeaders
            sheet={sheet}
            offsets={offsets}
            columns={grid.columns}
            left={frozen.left}
            activeColumn={active.column}
            onWidth={onWidth}
          />
          {hasHeader && <GridRow {...shared} row={0} values={rows.get(sheet.id, 0)} top={letterRowHeight} isHeader />}
        </div>
        {rendered.map((row) => (
          <GridRow
            key={row}
            {...shared}
            row={row}
            values={rows.get(sheet.id, row)}
            top={frozen.top + (row - frozen.rows) * rowHeight}
          />
        ))}
      </div>
    </div>
  )
}

const widthStep = 16

function numbers({ first, last }: Range): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

function isRendered(
  { row, column }: CellPosition,
  shown: { rows: Range; columns: Range },
  frozenRows: number,
): boolean {
  const { rows, columns } = shown
  return (
    (row < frozenRows || (row >= rows.first && row <= rows.last)) && column >= columns.first && column <= columns.last
  )
}

function findCell(target: EventTarget): CellPosition | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  if (!element) return undefined
  return { row: Number(element.dataset.row), column: Number(element.dataset.column) }
}
