import { useCallback, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import type { HighlightState } from '#web/features/documents/reader/find/highlights.ts'
import { replaceQueryParam } from '#web/features/documents/reader/position/replace-query.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'

/** Whether the find bar is open, and the highlights that it sets. */
export function useFindBar(frame: RefObject<HTMLElement | null>, { isInitiallyOpen }: { isInitiallyOpen: boolean }) {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const [isOpen, setIsOpen] = useState(isInitiallyOpen)
  /** Each request to open it moves the focus there. */
  const [openRequests, setOpenRequests] = useState(0)
  const [highlightState, setHighlightState] = useState(noHighlights)
  const opener = useRef<Element>(null)
  /** Returns false where the reader is out of sight: there the browser's own search is better. */
  const open = useCallback(() => {
    if (!isInSight(frame.current)) return false
    if (!isOpen) opener.current = document.activeElement
    setIsOpen(true)
    setOpenRequests((count) => count + 1)
    return true
  }, [frame, isOpen])
  const close = useCallback(() => {
    setIsOpen(false)
    setHighlightState(noHighlights)
    replaceQueryParam(pathname, 'find', '')
    const target =
      opener.current instanceof HTMLElement && opener.current !== document.body ? opener.current : frame.current
    target?.focus({ preventScroll: true })
  }, [frame, pathname])
  const storeWords = useCallback((words: string) => replaceQueryParam(pathname, 'find', words), [pathname])
  return {
    isOpen: isOpen && isHydrated,
    openRequests,
    highlightState,
    setHighlightState,
    storeWords,
    open,
    close,
  }
}

const noHighlights: HighlightState = { highlights: new Map(), current: undefined, onShown: () => {} }

function isInSight(frame: HTMLElement | null): boolean {
  const { top = 0, bottom = 0 } = frame?.getBoundingClientRect() ?? {}
  return bottom >= 0 && top <= window.innerHeight
}
