import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { nameOf } from '#web/admin/engine/deeds.tsx'
import type { Query } from '#web/admin/engine/listing.ts'
import { edgeScroll, handleOf, middleOf } from '#web/admin/engine/on-screen.ts'
import { changedSpan, movedTo, placeAt, siblingsOf } from '#web/admin/engine/ordering.ts'
import { useMoves } from '#web/admin/engine/use-moves.ts'
import type { Resource, Row } from '#web/admin/resource.ts'

export interface Ordering {
  /** Why nothing can be moved just now. */
  blocked?: string
  /** What was moved last, for who does not see it. */
  said: string
  /** How a row stands while another one is being dragged. */
  look: (row: Row) => string
  handle: (row: Row) => HandleProps
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
  /** The hand that drags; another one changes nothing. */
  pointer: number
  id: number
  place: number
}

/** Rows in the order of their owner's hand, moved with a pointer or with keys. */
export function useOrdering(resource: Resource, { rows: listed, query }: { rows: Row[]; query: Query }) {
  const { sorting } = resource
  const { rows, save } = useMoves(listed, sorting?.by)
  const [drag, setDrag] = useState<Drag>()
  const [said, setSaid] = useState('')
  const scrolling = useRef<ReturnType<typeof edgeScroll>>(undefined)
  const focused = useRef<number>(undefined)
  useEffect(() => {
    // A row that changes its place may lose the focus on the way.
    if (focused.current !== undefined) handleOf(focused.current)?.focus()
    focused.current = undefined
  })
  useEffect(() => () => scrolling.current?.stop(), [])

  if (!sorting) return { rows: listed, ordering: undefined }
  const { within } = sorting
  const amongst = (row: Row) => siblingsOf(rows, row, within)

  const move = (row: Row, place: number) => {
    const before = amongst(row)
    const to = Math.min(Math.max(place, 0), before.length - 1)
    const ids = changedSpan(before, movedTo(before, row.id, to))
    const name = nameOf(resource, row)
    setSaid(
      ids.length > 0
        ? `“${name}”移到第 ${to + 1} 位，共 ${before.length} 项`
        : `“${name}”已在${to === 0 ? '最前' : '最后'}`,
    )
    if (ids.length > 0) save(ids)
  }

  const placeOf = (row: Row, y: number) =>
    placeAt(
      amongst(row)
        .filter(({ id }) => id !== row.id)
        .map(({ id }) => middleOf(id)),
      y,
    )
  const stop = () => {
    scrolling.current?.stop()
    scrolling.current = undefined
    setDrag(undefined)
  }
  const handle = (row: Row): HandleProps => {
    const siblings = amongst(row)
    const place = siblings.findIndex(({ id }) => id === row.id)
    const steps: Record<string, number | undefined> = {
      ArrowUp: place - 1,
      ArrowDown: place + 1,
      Home: 0,
      End: siblings.length - 1,
    }
    const isDragging = ({ pointerId }: PointerEvent) => drag?.id === row.id && drag.pointer === pointerId
    return {
      'aria-label': `调整“${nameOf(resource, row)}”的顺序：第 ${place + 1} 位，共 ${siblings.length} 项，按上下方向键移动`,
      onPointerDown: (event) => {
        if (event.button !== 0 || !event.isPrimary) return
        stop()
        const pointer = event.pointerId
        event.currentTarget.setPointerCapture(pointer)
        scrolling.current = edgeScroll((y) => setDrag({ pointer, id: row.id, place: placeOf(row, y) }))
        setDrag({ pointer, id: row.id, place })
      },
      onPointerMove: (event) => {
        if (!isDragging(event)) return
        scrolling.current?.at(event.clientY)
        const to = placeOf(row, event.clientY)
        if (to !== drag?.place) setDrag({ pointer: event.pointerId, id: row.id, place: to })
      },
      onPointerUp: (event) => {
        if (!isDragging(event)) return
        stop()
        const to = placeOf(row, event.clientY)
        if (to !== place) move(row, to)
      },
      // However else it ends, such as by the browser's own scrolling.
      onLostPointerCapture: (event) => isDragging(event) && stop(),
      onKeyDown: (event) => {
        if (event.key === 'Escape' && drag) return stop()
        const to = steps[event.key]
        if (to === undefined) return
        event.preventDefault()
        focused.current = row.id
        move(row, to)
      },
    }
  }

  const dragged = drag && rows.find(({ id }) => id === drag.id)
  const others = dragged ? amongst(dragged).filter(({ id }) => id !== dragged.id) : []
  const [before, last] = [drag && others[drag.place], others.at(-1)]
  const after = drag && !before && last ? lastBelow(rows, last) : undefined
  const look = ({ id }: Row) => {
    if (id === dragged?.id) return 'wa-dragged'
    if (id === before?.id) return 'wa-drop-before'
    return id === after?.id ? 'wa-drop-after' : ''
  }
  const ordering: Ordering = { blocked: blockedBy(query, within), said, look, handle }
  return { rows, ordering }
}

function blockedBy({ wd, order, filters }: Query, within: readonly string[]): string | undefined {
  // A list of one kind is still a whole list; one that leaves rows out is not.
  const isNarrowed = wd !== '' || Object.keys(filters).some((key) => !within.includes(key))
  if (isNarrowed) return '清除筛选后才能调整顺序'
  return order ? '恢复默认的排列后才能调整顺序' : undefined
}

/** The last row that stands under this one, or itself. */
function lastBelow(rows: readonly Row[], row: Row): Row {
  const child = rows.findLast(({ parent_id }) => parent_id === row.id)
  return child ? lastBelow(rows, child) : row
}
