import { useCallback, useEffect, useState, type RefObject } from 'react'
import { readSelection, type Selected } from '#web/features/documents/reader/notes/page-text.ts'

export interface TextSelection {
  selected: readonly Selected[]
  /** On the screen. */
  area: { top: number; bottom: number; left: number; right: number }
}

/** Until the selection is as the reader wants it. */
const debounceMs = 200

/** The text that is selected on the pages; undefined while there is none or the pointer is still down. */
export function useTextSelection(column: RefObject<HTMLElement | null>) {
  const [current, setCurrent] = useState<TextSelection>()
  const clear = useCallback(() => {
    window.getSelection()?.removeAllRanges()
    setCurrent(undefined)
  }, [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isDown = false
    const read = () => setCurrent(column.current ? readNow(column.current) : undefined)
    const schedule = () => {
      clearTimeout(timer)
      if (!isDown) timer = setTimeout(read, debounceMs)
    }
    const press = (event: PointerEvent) => {
      // On a touch screen the system shows its own handles, whose movements are no pointer events.
      isDown = event.pointerType === 'mouse' && !isInBar(event.target)
    }
    const release = () => {
      isDown = false
      schedule()
    }
    const move = () => setCurrent((before) => (before && column.current ? readNow(column.current) : before))
    document.addEventListener('selectionchange', schedule)
    document.addEventListener('pointerdown', press)
    document.addEventListener('pointerup', release)
    window.addEventListener('scroll', move, { passive: true, capture: true })
    schedule()
    return () => {
      clearTimeout(timer)
      document.removeEventListener('selectionchange', schedule)
      document.removeEventListener('pointerdown', press)
      document.removeEventListener('pointerup', release)
      window.removeEventListener('scroll', move, { capture: true })
    }
  }, [column])
  return { current, clear }
}

function readNow(column: Element): TextSelection | undefined {
  const selection = window.getSelection()
  const selected = readSelection(column, selection)
  if (!selection || selected.length === 0) return undefined
  const { top, bottom, left, right } = selection.getRangeAt(0).getBoundingClientRect()
  return { selected, area: { top, bottom, left, right } }
}

function isInBar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-notes-bar]') !== null
}
