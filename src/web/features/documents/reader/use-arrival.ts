import { useCallback, useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import type { HitPlace } from '#web/features/documents/reader/marks.ts'
import type { viewOf } from '#web/features/documents/reader/sight.ts'
import type { ReaderState } from '#web/features/documents/reader/use-reader.ts'

/** The whole reader, the column of pages in it, whether they fill the screen, and how to tell what is seen of them. */
export interface Scene {
  frame: RefObject<HTMLElement | null>
  column: RefObject<HTMLElement | null>
  full: boolean
  viewOf: typeof viewOf
}

interface ArrivalGiven {
  place: HitPlace | undefined
  scene: Scene
  reader: ReaderState
}

/** So long a page that is near may take to show what is on it. */
const patienceMs = 250
/** The find bar lies over the pages. */
const margin = 72

/**
 * Goes to a hit, which may lie on a page that has yet to come. Who scrolls meanwhile is left in peace. Gives what to call
 * when something has come to lie on a page.
 */
export function useArrival({ place, scene, reader }: ArrivalGiven): () => void {
  const wanted = useRef<HitPlace>(undefined)
  const settle = useCallback(() => {
    if (wanted.current && showHit(scene, wanted.current)) wanted.current = undefined
  }, [scene])
  const hurry = useEffectEvent((page: number) => {
    settle()
    if (wanted.current) reader.goTo(page)
  })
  const isNear = useEffectEvent((page: number) => reader.held.includes(page))
  useEffect(() => {
    wanted.current = place
    if (!place) return undefined
    const timer = setTimeout(() => hurry(place.page), isNear(place.page) ? patienceMs : 0)
    const leave = () => {
      wanted.current = undefined
    }
    window.addEventListener('wheel', leave, { passive: true })
    window.addEventListener('touchmove', leave, { passive: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('wheel', leave)
      window.removeEventListener('touchmove', leave)
    }
  }, [place])
  return settle
}

/** Scrolls no further than it must; gives whether the hit is there. */
function showHit({ frame, column, full, viewOf }: Scene, { page, hit }: HitPlace): boolean {
  const mark = column.current?.querySelector(`[data-page="${page}"] [data-hit~="${hit}"]`)
  if (!mark || !column.current) return false
  const box = mark.getBoundingClientRect()
  const { top, bottom } = viewOf(frame.current, column.current, full)
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
