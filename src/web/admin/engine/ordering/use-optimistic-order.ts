import { startTransition, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint } from '#shared/endpoint.ts'
import { applyOrder } from '#shared/manual-order.ts'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import type { Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

interface PendingOrder {
  /** Ids in the order shown; undefined when the list's own order is. */
  ids?: number[]
  /** How many moves are still being saved. */
  moves: number
}

const noPending: PendingOrder = { moves: 0 }

/** Shows each move at once and saves the moves one after the other; an error reverts them. */
export function useOptimisticOrder(listed: Row[], endpoint: Endpoint | undefined) {
  const { revalidate } = useRevalidator()
  const { showError } = useFeedback()
  const [pending, setPending] = useState(noPending)
  const lastSave = useRef(Promise.resolve())
  const failures = useRef(0)
  const rows = pending.ids ? applyOrder(listed, pending.ids) : listed

  const send = async (endpoint: Endpoint, ids: number[], previousSave: Promise<void>) => {
    const failuresBefore = failures.current
    await previousSave
    // The move was made in an order that was reverted meanwhile.
    if (failures.current !== failuresBefore) return
    try {
      await api(endpoint, { id: ids })
      await revalidate()
      // The revalidated list arrives in a transition: without one here, the rows would jump.
      startTransition(() => setPending(({ ids, moves }) => (moves > 1 ? { ids, moves: moves - 1 } : noPending)))
    } catch (error) {
      failures.current += 1
      setPending(noPending)
      showError('排序', error)
      await revalidate()
    }
  }
  const save = (ids: number[]) => {
    if (!endpoint) return
    const order = applyOrder(rows, ids).map(({ id }) => id)
    setPending(({ moves }) => ({ ids: order, moves: moves + 1 }))
    lastSave.current = send(endpoint, ids, lastSave.current)
  }
  return { rows, save }
}
