import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import type { SuggestionRow } from '#web/features/search/box/suggestion-rows.ts'

interface ListKeys {
  form: RefObject<HTMLFormElement | null>
  rows: SuggestionRow[]
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
  onPick: (row: SuggestionRow) => void
  /** With the Delete key. */
  onRemove: (row: SuggestionRow) => void
}

/** Arrow keys select rows while the input keeps the focus. New rows reset the selection, but for those that are left after the Delete key. */
export function useListKeys({ form, rows, isOpen, setIsOpen, onPick, onRemove }: ListKeys) {
  const navigate = useNavigate()
  const [selection, setSelection] = useState({ rows, index: -1, isRemoved: false })
  // Where a row was removed, the next one is selected.
  if (selection.isRemoved && selection.rows !== rows)
    setSelection({ rows, index: Math.min(selection.index, rows.length - 1), isRemoved: false })
  const selected = selection.rows === rows && isOpen ? selection.index : -1
  const select = (index: number) => setSelection({ rows, index, isRemoved: false })
  const isShown = isOpen && rows.length > 0

  const step = (by: 1 | -1) => {
    if (!isShown) return setIsOpen(true)
    // The input itself (-1) is one of the stops.
    const stops = rows.length + 1
    return select(((selected + 1 + by + stops) % stops) - 1)
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // Keys of an input method; Safari marks them by the key code alone.
    if (event.isComposing || event.keyCode === 229 || !(event.target instanceof HTMLInputElement)) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      step(event.key === 'ArrowDown' ? 1 : -1)
    }
    const row = rows[selected]
    if (event.key === 'Delete' && row?.from === 'recent') {
      event.preventDefault()
      setSelection({ rows, index: selected, isRemoved: true })
      onRemove(row)
    }
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

  return { selected, select, isShown }
}
