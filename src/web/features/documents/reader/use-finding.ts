import { useCallback, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { noteInAddress } from '#web/features/documents/reader/address.ts'
import type { Marked } from '#web/features/documents/reader/marks.ts'
import { useHydrated } from '#web/lib/hydrated.ts'

/** Whether one is looking for something in the document, and what is marked by it. */
export function useFinding(frame: RefObject<HTMLElement | null>, isAsked: boolean) {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const [isOpen, setIsOpen] = useState(isAsked)
  const [calls, setCalls] = useState(0)
  const [marked, setMarked] = useState<Marked>(nothingMarked)
  const before = useRef<Element>(null)
  /** Not where one has scrolled past the pages: there the browser knows better. */
  const open = useCallback(() => {
    const { top = 0, bottom = 0 } = frame.current?.getBoundingClientRect() ?? {}
    if (bottom < 0 || top > window.innerHeight) return false
    if (!isOpen) before.current = document.activeElement
    setIsOpen(true)
    setCalls((count) => count + 1)
    return true
  }, [frame, isOpen])
  const close = useCallback(() => {
    setIsOpen(false)
    setMarked(nothingMarked)
    noteInAddress(pathname, 'find', '')
    const back =
      before.current instanceof HTMLElement && before.current !== document.body ? before.current : frame.current
    back?.focus({ preventScroll: true })
  }, [frame, pathname])
  const noteWords = useCallback((words: string) => noteInAddress(pathname, 'find', words), [pathname])
  return { isOpen: isOpen && isHydrated, calls, marked, setMarked, noteWords, open, close }
}

const nothingMarked: Marked = { marks: new Map(), current: undefined, onShown: () => {} }
