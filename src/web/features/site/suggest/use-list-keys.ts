import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import type { Row } from '#web/features/site/suggest/rows.ts'

interface ListKeys {
  form: RefObject<HTMLFormElement | null>
  rows: Row[]
  isOpen: boolean
  turn: (open: boolean) => void
  onPick: (row: Row) => void
}

/** Moves through the rows while the focus stays in the box. Other rows, and none of them is chosen. */
export function useListKeys({ form, rows, isOpen, turn, onPick }: ListKeys) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState({ rows, place: -1 })
  const place = chosen.rows === rows && isOpen ? chosen.place : -1
  const move = (next: number) => setChosen({ rows, place: next })
  const isShown = isOpen && rows.length > 0

  const step = (by: 1 | -1) => {
    if (!isShown) return turn(true)
    // One place beside the rows is the box itself.
    const places = rows.length + 1
    return move(((place + 1 + by + places) % places) - 1)
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // What an input method takes for itself is none of ours; Safari says so by the code alone.
    if (event.isComposing || event.keyCode === 229 || !(event.target instanceof HTMLInputElement)) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      step(event.key === 'ArrowDown' ? 1 : -1)
    }
    const row = rows[place]
    if (event.key !== 'Enter' || !row) return
    event.preventDefault()
    onPick(row)
    void navigate(row.to, { replace: row.to === location.pathname + location.search })
  })

  useEffect(() => {
    const box = form.current
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    box?.addEventListener('keydown', listener)
    return () => box?.removeEventListener('keydown', listener)
  }, [form])

  return { place, move, isShown }
}
