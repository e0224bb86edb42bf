import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { collections } from '#shared/contract/collections.ts'
import type { ShownItem } from '#web/features/collections/collection-summary.ts'
import { moveRow, placeAt } from '#web/features/collections/move-row.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

export interface Row {
  /** Stays the same when a removed item is added again. */
  key: number
  /** The id of the item; 0 while it is removed. */
  id: number
  item: ShownItem
}

/** The order of a collection while its owner changes it. What the server refuses is taken back. */
export function useArrangement(collectionId: number, items: readonly ShownItem[]) {
  const [rows, setRows] = useState<readonly Row[]>(() => items.map((item) => ({ key: item.id, id: item.id, item })))
  const [dragged, setDragged] = useState(0)
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(rows)

  const save = async (next: readonly Row[], previous: readonly Row[]) => {
    const id = next.filter((row) => row.id > 0).map((row) => row.id)
    try {
      if (id.length > 0) await api(collections.reorderItems, { collection_id: collectionId, id })
    } catch (error) {
      setRows(previous)
      toast(errorMessage(error, '顺序没有保存，请稍后重试'), 'danger')
    }
  }

  const move = (from: number, to: number) => {
    const next = moveRow(rows, from, to)
    setRows(next)
    setAnnouncement(`“${rows[from]?.item.title ?? ''}”移到了第 ${to + 1} 位`)
    void save(next, rows)
  }

  const remove = async (row: Row) => {
    try {
      await api(collections.removeItems, { id: [row.id] })
      setRows((current) => current.map((other) => (other.key === row.key ? { ...other, id: 0 } : other)))
    } catch (error) {
      toast(errorMessage(error, '没有移除，请稍后重试'), 'danger')
    }
  }

  /** At the place where it was: a new item is at the end. */
  const restore = async (row: Row) => {
    const { type, content_id, note } = row.item
    try {
      const added = await api(collections.addItems, { collection_id: collectionId, item: [{ type, content_id }], note })
      const next = rows.map((other) => (other.key === row.key ? { ...other, id: added.id[0] ?? 0 } : other))
      setRows(next)
      await save(next, next)
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    }
  }

  const annotate = async (row: Row, note: string): Promise<void> => {
    await api(collections.updateItem, { id: row.id, note })
    setRows((current) =>
      current.map((other) => (other.key === row.key ? { ...other, item: { ...other.item, note } } : other)),
    )
  }

  const onPointerMove = useEffectEvent(({ clientY }: PointerEvent) => {
    const from = rows.findIndex(({ key }) => key === dragged)
    const others = [...(list.current?.children ?? [])].filter((_, index) => index !== from)
    const middles = others.map((element) => element.getBoundingClientRect()).map(({ top, height }) => top + height / 2)
    const to = placeAt(middles, clientY)
    if (to !== from) setRows(moveRow(rows, from, to))
  })
  const onPointerUp = useEffectEvent(() => {
    setDragged(0)
    if (before.current !== rows) void save(rows, before.current)
  })
  const onPointerCancel = useEffectEvent(() => {
    setDragged(0)
    setRows(before.current)
  })
  // On the window: a row that is moved in the page loses the pointer.
  useEffect(() => {
    if (dragged === 0) return undefined
    const controller = new AbortController()
    const { signal } = controller
    addEventListener('pointermove', (event) => onPointerMove(event), { signal })
    addEventListener('pointerup', () => onPointerUp(), { signal })
    addEventListener('pointercancel', () => onPointerCancel(), { signal })
    return () => controller.abort()
  }, [dragged])

  /** From the handle of a row. Pointers of any kind: touch has no drag and drop of its own. */
  const startDrag = (row: Row, button: number) => {
    if (button !== 0) return
    before.current = rows
    setDragged(row.key)
  }

  return { rows, list, announcement, dragged, move, remove, restore, annotate, startDrag }
}

export type Arrangement = Omit<ReturnType<typeof useArrangement>, 'rows' | 'list' | 'announcement'>
