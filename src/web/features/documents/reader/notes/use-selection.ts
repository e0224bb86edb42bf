import { useCallback, useEffect, useState, type RefObject } from 'react'
import { readSelection, type Selected } from '#web/features/documents/reader/notes/page-text.ts'

export interface TextSelection {
  selected: readonly Selected[]
  /** On the screen. */
  area: { top: number; bottom: number; left: number; right: number }
}

/** What is selected in a column, page by page. */
type SelectionReader = (column: Element, selection: Selection | null) => readonly Selected[]

/** Until the selection is as the reader wants it. */
const debounceMs = 200

/** The text that is selected on the pages; undefined while there is none or the pointer is still down. */
export function useTextSelection(column: RefObject<HTMLElement | null>, read: SelectionReader = readSelection) {
  const [current, setCurrent] = useState<TextSelection>()
  const clear = useCallback(() => {
    window.getSelection()?.removeAllRanges()
    setCurrent(undefined)
  }, [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // This is loaded when a visitor begins to select: the pointer may be down already.
    let isDown = column.current?.matches(':active') ?? false
    const update = () => setCurrent(column.current ? readNow(column.current, read) : undefined)
    const schedule = () => {
      clearTimeout(timer)
      if (!isDown) timer = setTimeout(update, debounceMs)
    }
    const press = (event: PointerEvent) => {
      // On a touch screen the system shows its own handles, whose movements are no pointer events.
      isDown = event.pointerType === 'mouse' && !isInBar(event.target)
    }
    const release = () => {
      isDown = false
      schedule()
    }
    const move = () => setCurrent((before) => (before && column.current ? readNow(column.current, read) : before))
    document.addEventListener('selectionchange', schedule)
    document.addEventListener('pointerdown', press)
    document.addEventListener('pointerup', release)
    document.addEventListener('pointercancel', release)
    window.addEventListener('scroll', move, { passive: true, capture: true })
    schedule()
    return () => {
      clearTimeout(timer)
      document.removeEventListener('selectionchange', schedule)
      document.removeEventListener('pointerdown', press)
      document.removeEventListener('pointerup', release)
      document.removeEventListener('pointercancel', release)
      window.removeEventListener('scroll', move, { capture: true })
    }
  }, [column, read])
  return { current, clear }
}

function readNow(column: Element, read: SelectionReader): TextSelection | undefined {
  const selection = window.getSelection()
  const selected = read(column, selection)
  if (!selection || selected.length === 0) return undefined
  const { top, bottom, left, right } = selection.getRangeAt(0).getBoundingClientRect()
  return { selected, area: { top, bottom, left, right } }
}

function isInBar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-notes-bar]') !== null
}
