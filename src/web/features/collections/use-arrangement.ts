import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { collections } from '#shared/contract/collections.ts'
import type { ShownItem } from '#web/features/collections/collection-summary.ts'
import { inOrder, moveRow, placeAt } from '#web/features/collections/move-row.ts'
import { createOrderSaver } from '#web/features/collections/order-saver.ts'
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
  /** The order when the drag began. */
  const before = useRef<readonly number[]>([])

  /** What was decided last, for replies that come while other changes are under way. */
  const latest = useRef(rows)
  const change = (update: (current: readonly Row[]) => readonly Row[]) => {
    latest.current = update(latest.current)
    setRows(latest.current)
  }
  const changeRow = (key: number, changed: (row: Row) => Partial<Row>) =>
    change((current) => current.map((row) => (row.key === key ? { ...row, ...changed(row) } : row)))

  const saver = useRef<(keys: readonly number[]) => Promise<void>>(null)
  const saveOrder = () => {
    saver.current ??= createOrderSaver<readonly number[]>(
      items.map(({ id }) => id),
      async (keys) => {
        const id = inOrder(latest.current, keys).flatMap((row) => (row.id > 0 ? [row.id] : []))
        if (id.length > 0) await api(collections.reorderItems, { collection_id: collectionId, id })
      },
      (error, saved) => {
        change((current) => inOrder(current, saved))
        toast(errorMessage(error, '顺序没有保存，请稍后重试'), 'danger')
      },
    )
    void saver.current(keysOf(latest.current))
  }

  const move = (from: number, to: number) => {
    change((current) => moveRow(current, from, to))
    setAnnouncement(`“${rows[from]?.item.title ?? ''}”移到了第 ${to + 1} 位`)
    saveOrder()
  }

  const remove = async (row: Row) => {
    try {
      await api(collections.removeItems, { id: [row.id] })
      changeRow(row.key, () => ({ id: 0 }))
    } catch (error) {
      toast(errorMessage(error, '没有移除，请稍后重试'), 'danger')
    }
  }

  /** At the place where it was: a new item is at the end. */
  const restore = async (row: Row) => {
    const { type, content_id, note } = row.item
    try {
      const added = await api(collections.addItems, { collection_id: collectionId, item: [{ type, content_id }], note })
      changeRow(row.key, () => ({ id: added.id[0] ?? 0 }))
      saveOrder()
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    }
  }

  const annotate = async (row: Row, note: string): Promise<void> => {
    await api(collections.updateItem, { id: row.id, note })
    changeRow(row.key, ({ item }) => ({ item: { ...item, note } }))
  }

  const onPointerMove = useEffectEvent(({ clientY }: PointerEvent) => {
    const from = latest.current.findIndex(({ key }) => key === dragged)
    const others = [...(list.current?.children ?? [])].filter((_, index) => index !== from)
    const middles = others.map((element) => element.getBoundingClientRect()).map(({ top, height }) => top + height / 2)
    const to = placeAt(middles, clientY)
    if (to !== from) change((current) => moveRow(current, from, to))
  })
  const onPointerUp = useEffectEvent(() => {
    setDragged(0)
    if (keysOf(latest.current).join() !== before.current.join()) saveOrder()
  })
  const onPointerCancel = useEffectEvent(() => {
    setDragged(0)
    change((current) => inOrder(current, before.current))
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
    before.current = keysOf(rows)
    setDragged(row.key)
  }

  return { rows, list, announcement, dragged, move, remove, restore, annotate, startDrag }
}

function keysOf(rows: readonly Row[]): number[] {
  return rows.map(({ key }) => key)
}

export type Arrangement = Omit<ReturnType<typeof useArrangement>, 'rows' | 'list' | 'announcement'>
