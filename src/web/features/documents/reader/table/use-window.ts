import { useCallback, useLayoutEffect, useMemo, useState, type RefObject } from 'react'
import { columnOffsets, columnsBetween, type Range } from '#web/features/documents/reader/table/geometry.ts'

export const rowHeight = 34
export const letterRowHeight = 28
/** Rows above and below the visible ones that are rendered too, so that a slow scroll shows no gap. */
const spareRows = 8
const spareWidth = 200

/** Sizes of what stays in sight while the cells are scrolled. */
export interface Frozen {
  /** Column letters, and the header row if there is one. */
  top: number
  /** Row numbers. */
  left: number
  rows: number
}

interface WindowOptions {
  scroller: RefObject<HTMLElement | null>
  rows: number
  widths: readonly number[]
  frozen: Frozen
}

/** The rows and columns that are rendered: those in sight, and some around them. */
export function useWindow({ scroller, rows, widths, frozen }: WindowOptions) {
  const offsets = useMemo(() => columnOffsets(widths), [widths])
  const [shown, setShown] = useState<{ rows: Range; columns: Range; page: number }>({
    rows: { first: 0, last: Math.min(rows - 1, 39) },
    columns: columnsBetween(offsets, 0, 1000),
    page: 20,
  })
  const measure = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = element
    const page = Math.max(1, Math.floor((clientHeight - frozen.top) / rowHeight) - 1)
    const firstRow = frozen.rows + Math.floor(scrollTop / rowHeight) - spareRows
    const next = {
      page,
      rows: {
        first: Math.max(frozen.rows, firstRow),
        last: Math.min(rows - 1, firstRow + page + 2 + 2 * spareRows),
      },
      columns: columnsBetween(offsets, scrollLeft - spareWidth, scrollLeft + clientWidth - frozen.left + spareWidth),
    }
    setShown((before) => (isSame(before, next) ? before : next))
  }, [scroller, rows, offsets, frozen])
  useLayoutEffect(() => {
    const element = scroller.current
    const observer = new ResizeObserver(measure)
    if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, measure])
  /** Scrolls only as far as is needed to see the whole cell. */
  const reveal = useCallback(
    ({ row, column }: { row: number; column: number }) => {
      const element = scroller.current
      if (!element) return
      const { clientHeight, clientWidth } = element
      if (row >= frozen.rows) {
        const top = (row - frozen.rows) * rowHeight
        const lowest = top + rowHeight + frozen.top - clientHeight
        if (element.scrollTop > top) element.scrollTo({ top })
        else if (element.scrollTop < lowest) element.scrollTo({ top: lowest })
      }
      const [left = 0, right = 0] = [offsets[column], offsets[column + 1]]
      const rightmost = Math.min(left, right + frozen.left - clientWidth)
      if (element.scrollLeft > left) element.scrollTo({ left })
      else if (element.scrollLeft < rightmost) element.scrollTo({ left: rightmost })
    },
    [scroller, offsets, frozen],
  )
  return { ...shown, offsets, measure, reveal }
}

function isSame<T extends { rows: Range; columns: Range; page: number }>(before: T, next: T): boolean {
  return (
    before.page === next.page &&
    before.rows.first === next.rows.first &&
    before.rows.last === next.rows.last &&
    before.columns.first === next.columns.first &&
    before.columns.last === next.columns.last
  )
}
