import { useCallback, useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import type { HitPosition } from '#web/features/documents/reader/find/highlights.ts'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import type { visibleArea } from '#web/features/documents/reader/pages/viewport.ts'

export interface ReaderElements {
  /** The whole reader. */
  frame: RefObject<HTMLElement | null>
  /** The column of pages in it. */
  column: RefObject<HTMLElement | null>
  full: boolean
  /** Passed in, so that the search, which is loaded on demand, shares no module with the page's script. */
  visibleArea: typeof visibleArea
}

interface ScrollToHitOptions {
  position: HitPosition | undefined
  elements: ReaderElements
  reader: ReaderState
}

/** How long a page nearby may take to render its text. */
const maxWaitMs = 250
/** The find bar covers part of the pages. */
const margin = 72

/** Scrolls to a hit, whose page may not be rendered yet, unless the reader scrolls meanwhile. Returns the function to call when a hit has been rendered. */
export function useScrollToHit({ position, elements, reader }: ScrollToHitOptions): () => void {
  const target = useRef<HitPosition>(undefined)
  const scrollIfRendered = useCallback(() => {
    if (target.current && scrollToHit(elements, target.current)) target.current = undefined
  }, [elements])
  const goToPage = useEffectEvent((page: number) => {
    scrollIfRendered()
    if (target.current) reader.goTo(page)
  })
  const isRendered = useEffectEvent((page: number) => reader.rendered.includes(page))
  useEffect(() => {
    target.current = position
    if (!position) return undefined
    const timer = setTimeout(() => goToPage(position.page), isRendered(position.page) ? maxWaitMs : 0)
    const cancel = () => {
      target.current = undefined
    }
    window.addEventListener('wheel', cancel, { passive: true })
    window.addEventListener('touchmove', cancel, { passive: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('wheel', cancel)
      window.removeEventListener('touchmove', cancel)
    }
  }, [position])
  return scrollIfRendered
}

/** Scrolls no further than necessary; returns whether the hit is rendered. */
function scrollToHit({ frame, column, full, visibleArea }: ReaderElements, { page, hit }: HitPosition): boolean {
  const mark = column.current?.querySelector(`[data-page="${page}"] [data-hit~="${hit}"]`)
  if (!mark || !column.current) return false
  const box = mark.getBoundingClientRect()
  const { top, bottom } = visibleArea(frame.current, column.current, full)
  const at = box.top - column.current.getBoundingClientRect().top
  const scroller = full ? frame.current : document.scrollingElement
  if (at < top + margin || at + box.height > bottom - margin)
    scroller?.scrollBy({ top: at - top - (bottom - top) * 0.35, behavior: 'instant' })
  const wrapper = column.current.parentElement
  const [left, width] = [wrapper?.getBoundingClientRect().left ?? 0, wrapper?.clientWidth ?? 0]
  if (box.left < left || box.right > left + width)
    wrapper?.scrollBy({ left: box.left - left - Math.max(0, width - box.width) / 2, behavior: 'instant' })
  return true
}
