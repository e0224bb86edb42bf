import { startTransition, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint } from '#shared/endpoint.ts'
import { ranked } from '#shared/rank.ts'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import type { Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

interface Wish {
  /** The rows as they were put last; undefined while the list itself says how they stand. */
  order?: number[]
  /** How many moves are on their way. */
  pending: number
}

const none: Wish = { pending: 0 }

/** Rows in an order that is on its way to the server, one move after the other; taken back when it refuses. */
export function useMoves(listed: Row[], by: Endpoint | undefined) {
  const { revalidate } = useRevalidator()
  const { failed } = useFeedback()
  const [wish, setWish] = useState(none)
  const sent = useRef(Promise.resolve())
  const refusals = useRef(0)
  const rows = wish.order ? ranked(listed, wish.order) : listed

  const send = async (endpoint: Endpoint, ids: number[], earlier: Promise<void>) => {
    const seen = refusals.current
    await earlier
    // What was moved in an order that was refused means something else now.
    if (refusals.current !== seen) return
    try {
      await api(endpoint, { id: ids })
      await revalidate()
      // After the last move the list says how they stand. It comes as a transition: so does this, or they would jump.
      startTransition(() => setWish(({ order, pending }) => (pending > 1 ? { order, pending: pending - 1 } : none)))
    } catch (error) {
      refusals.current += 1
      setWish(none)
      failed('排序', error)
      await revalidate()
    }
  }
  const save = (ids: number[]) => {
    if (!by) return
    const order = ranked(rows, ids).map(({ id }) => id)
    setWish(({ pending }) => ({ order, pending: pending + 1 }))
    sent.current = send(by, ids, sent.current)
  }
  return { rows, save }
}
