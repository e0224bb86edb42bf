import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import type { TableSheet } from '#shared/tables.ts'
import { columnName, type Range } from '#web/features/documents/reader/table/geometry.ts'
import { letterRowHeight } from '#web/features/documents/reader/table/use-window.ts'
import { cx } from '#web/ui/class-names.ts'

export const widthRange = { min: 36, max: 800 }
const widthStep = 16

interface ColumnHeadersProps {
  sheet: TableSheet
  offsets: readonly number[]
  columns: Range
  left: number
  activeColumn: number
  onWidth: (column: number, width: number) => void
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- as the rows of the grid: each header stands at the place of its column, which the elements of a table cannot */

/** The letters of the columns, with a handle to change the width of each. */
export function ColumnHeaders({ sheet, offsets, columns, left, activeColumn, onWidth }: ColumnHeadersProps) {
  const shown = sheet.columns.slice(columns.first, columns.last + 1)
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="absolute inset-x-0 top-0 bg-sunken text-xs text-muted"
      style={{ height: letterRowHeight }}
    >
      <div
        role="columnheader"
        aria-colindex={1}
        aria-label="行号"
        className="sticky left-0 z-20 h-full border-r border-b border-line bg-sunken"
        style={{ width: left }}
      />
      {shown.map(({ number }, index) => {
        const column = columns.first + index
        const [start = 0, end = 0] = [offsets[column], offsets[column + 1]]
        return (
          <div
            key={column}
            role="columnheader"
            aria-colindex={column + 2}
            className={cx(
              'absolute top-0 flex h-full items-center justify-center border-r border-b border-line',
              column === activeColumn ? 'bg-accent-soft text-ink' : 'bg-sunken',
            )}
            style={{ left: left + start, width: end - start }}
          >
            {columnName(number)}
            <WidthHandle
              name={columnName(number)}
              width={end - start}
              isReachable={column === activeColumn}
              onWidth={(width) => onWidth(column, width)}
            />
          </div>
        )
      })}
    </div>
  )
}

interface WidthHandleProps {
  name: string
  width: number
  /** Only that of the active column is a tab stop: a sheet may have hundreds. */
  isReachable: boolean
  onWidth: (width: number) => void
}

function WidthHandle({ name, width, isReachable, onWidth }: WidthHandleProps) {
  const start = useRef<{ x: number; width: number }>(undefined)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width }
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (start.current) onWidth(start.current.width + event.clientX - start.current.x)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -widthStep, ArrowRight: widthStep }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onWidth(width + step)
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`${name} 列的宽度`}
      aria-valuenow={Math.round(width)}
      aria-valuemin={widthRange.min}
      aria-valuemax={widthRange.max}
      tabIndex={isReachable ? 0 : -1}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (start.current = undefined)}
      onPointerCancel={() => (start.current = undefined)}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 right-0 w-2 cursor-col-resize touch-none hover:bg-accent focus-visible:bg-accent pointer-coarse:w-4"
    />
  )
}
