import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { ListQuery } from '#web/admin/engine/listing/listing.ts'
import { findHandle, getRowMiddle, startAutoScroll } from '#web/admin/engine/ordering/drag-geometry.ts'
import styles from '#web/admin/engine/ordering/ordering.module.css'
import { changedRange, dropIndex, findSiblings, moveRow } from '#web/admin/engine/ordering/reorder.ts'
import { useOptimisticOrder } from '#web/admin/engine/ordering/use-optimistic-order.ts'
import { getRowName } from '#web/admin/engine/use-actions.ts'
import type { Resource, Row } from '#web/admin/resource.ts'

export interface Ordering {
  /** Why nothing can be moved at the moment. */
  disabledReason?: string
  /** The last move, for screen readers. */
  announcement: string
  /** Marks the dragged row and the place where it would be dropped. */
  getRowClassName: (row: Row) => string
  getHandleProps: (row: Row) => HandleProps
}

interface HandleProps {
  'aria-label': string
  onPointerDown: (event: PointerEvent) => void
  onPointerMove: (event: PointerEvent) => void
  onPointerUp: (event: PointerEvent) => void
  onLostPointerCapture: (event: PointerEvent) => void
  onKeyDown: (event: KeyboardEvent) => void
}

interface Drag {
  /** Other pointers are ignored meanwhile. */
  pointerId: number
  rowId: number
  index: number
}

/** Rows that can be reordered with a pointer or with the arrow keys. */
export function useOrdering(resource: Resource, { rows: listed, query }: { rows: Row[]; query: ListQuery }) {
  const rules = resource.ordering
  const { rows, save } = useOptimisticOrder(listed, rules?.endpoint)
  const [drag, setDrag] = useState<Drag>()
  const [announcement, setAnnouncement] = useState('')
  const autoScroll = useRef<ReturnType<typeof startAutoScroll>>(undefined)
  const focusedId = useRef<number>(undefined)
  useEffect(() => {
    // A row may lose the focus when its element moves.
    if (focusedId.current !== undefined) findHandle(focusedId.current)?.focus()
    focusedId.current = undefined
  })
  useEffect(() => () => autoScroll.current?.stop(), [])

  if (!rules) return { rows: listed, ordering: undefined }
  const { within } = rules
  const getSiblings = (row: Row) => findSiblings(rows, row, within)

  const move = (row: Row, index: number) => {
    const siblings = getSiblings(row)
    const target = Math.min(Math.max(index, 0), siblings.length - 1)
    const ids = changedRange(siblings, moveRow(siblings, row.id, target))
    const name = getRowName(resource, row)
    setAnnouncement(
      ids.length > 0
        ? `“${name}”移到第 ${target + 1} 位，共 ${siblings.length} 项`
        : `“${name}”已在${target === 0 ? '最前' : '最后'}`,
    )
    if (ids.length > 0) save(ids)
  }

  const findDropIndex = (row: Row, y: number) =>
    dropIndex(
      getSiblings(row)
        .filter(({ id }) => id !== row.id)
        .map(({ id }) => getRowMiddle(id)),
      y,
    )
  const stop = () => {
    autoScroll.current?.stop()
    autoScroll.current = undefined
    setDrag(undefined)
  }
  const getHandleProps = (row: Row): HandleProps => {
    const siblings = getSiblings(row)
    const index = siblings.findIndex(({ id }) => id === row.id)
    const targets: Record<string, number | undefined> = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      Home: 0,
      End: siblings.length - 1,
    }
    const isDragging = ({ pointerId }: PointerEvent) => drag?.rowId === row.id && drag.pointerId === pointerId
    return {
      'aria-label': `调整“${getRowName(resource, row)}”的顺序：第 ${index + 1} 位，共 ${siblings.length} 项，按上下方向键移动`,
      onPointerDown: (event) => {
        if (event.button !== 0 || !event.isPrimary) return
        stop()
        const { pointerId } = event
        event.currentTarget.setPointerCapture(pointerId)
        autoScroll.current = startAutoScroll((y) => setDrag({ pointerId, rowId: row.id, index: findDropIndex(row, y) }))
        setDrag({ pointerId, rowId: row.id, index })
      },
      onPointerMove: (event) => {
        if (!isDragging(event)) return
        autoScroll.current?.moveTo(event.clientY)
        const target = findDropIndex(row, event.clientY)
        if (target !== drag?.index) setDrag({ pointerId: event.pointerId, rowId: row.id, index: target })
      },
      onPointerUp: (event) => {
        if (!isDragging(event)) return
        stop()
        const target = findDropIndex(row, event.clientY)
        if (target !== index) move(row, target)
      },
      // Any other end of the drag, such as the browser's own scrolling.
      onLostPointerCapture: (event) => isDragging(event) && stop(),
      onKeyDown: (event) => {
        if (event.key === 'Escape' && drag) return stop()
        const target = targets[event.key]
        if (target === undefined) return
        event.preventDefault()
        focusedId.current = row.id
        move(row, target)
      },
    }
  }

  const dragged = drag && rows.find(({ id }) => id === drag.rowId)
  const others = dragged ? getSiblings(dragged).filter(({ id }) => id !== dragged.id) : []
  const [next, last] = [drag && others[drag.index], others.at(-1)]
  const previous = drag && !next && last ? findLastDescendant(rows, last) : undefined
  const getRowClassName = ({ id }: Row) => {
    if (id === dragged?.id) return styles.dragged ?? ''
    if (id === next?.id) return styles.dropBefore ?? ''
    return (id === previous?.id && styles.dropAfter) || ''
  }
  const ordering: Ordering = {
    disabledReason: findDisabledReason(query, within),
    announcement,
    getRowClassName,
    getHandleProps,
  }
  return { rows, ordering }
}

function findDisabledReason({ wd, order, filters }: ListQuery, within: readonly string[]): string | undefined {
  // A filter by a key of `within` still shows all rows that are ordered among themselves.
  const isPartial = wd !== '' || Object.keys(filters).some((key) => !within.includes(key))
  if (isPartial) return '清除筛选后才能调整顺序'
  return order ? '恢复默认的排列后才能调整顺序' : undefined
}

/** The last row of the subtree under a row, or the row itself. */
function findLastDescendant(rows: readonly Row[], row: Row): Row {
  const child = rows.findLast(({ parent_id }) => parent_id === row.id)
  return child ? findLastDescendant(rows, child) : row
}
