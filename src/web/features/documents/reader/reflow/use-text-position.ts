import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { reflowGroupStart } from '#shared/reflow.ts'
import { visibleArea } from '#web/features/documents/reader/pages/viewport.ts'
import {
  placeAt,
  positionOf,
  readMarks,
  readSpans,
  scrollToPosition,
  type Span,
  type TextView,
} from '#web/features/documents/reader/reflow/marks.ts'
import { storePlace, type Place, type PlaceRef } from '#web/features/documents/reader/view/place.ts'

interface PositionOptions extends TextView {
  preview: number
  start: number
  place: PlaceRef
  /** Changes when text comes or goes. */
  content: unknown
  /** Changes when all text is set anew. */
  setting: unknown
  /** The parts of the text near the visible area, and the page that is read. */
  onNear: (near: readonly Span[], current: number) => void
}

/** In screens: what is loaded ahead of the reader. */
const ahead = 2
const behind = 1

/** The page that is read. Keeps the line at the top in place while text above it is loaded or set anew. */
export function useTextPosition(options: PositionOptions) {
  const { frame, column, full, preview, start, place, content, setting, onNear } = options
  const [current, setCurrent] = useState(() => Math.min(place.current?.page ?? start, preview))
  /** Where to go as soon as its text is loaded. */
  const target = useRef<Place>(undefined)
  /** The line at the top, as it was measured last; `distance` is from the start of its page, in pixels. */
  const anchor = useRef<Place & { distance: number }>(undefined)

  const update = useEffectEvent(() => {
    if (!column.current) return
    const { top, bottom } = visibleArea(frame.current, column.current, full)
    const screen = bottom - top
    const spans = readSpans(column.current)
    const near = spans.filter((span) => span.bottom > top - behind * screen && span.top < bottom + ahead * screen)
    if (target.current) return onNear(near, target.current.page)
    const marks = readMarks(column.current)
    const end = column.current.offsetHeight
    const now = placeAt(top, marks, spans, end)
    const mark = marks.find(({ page }) => page === now.page)
    storePlace(place, now)
    anchor.current = top > 0 && mark ? { ...now, distance: top - mark.top } : undefined
    setCurrent(Math.min(preview, now.page))
    return onNear(near, now.page)
  })

  /** Scrolls to the target, or near it while its text is not loaded. */
  const scrollToTarget = useEffectEvent(() => {
    const wanted = target.current
    if (!wanted || !column.current) return
    const position = positionOf(wanted, readMarks(column.current), column.current.offsetHeight)
    const span = readSpans(column.current).find(({ first }) => first === reflowGroupStart(wanted.page))
    if (position !== undefined) target.current = undefined
    const y = position ?? span?.top
    if (y !== undefined) scrollToPosition({ frame, column, full }, y)
  })

  const [requests, setRequests] = useState(0)
  const goTo = useCallback(
    (page: number) => {
      target.current = { page: Math.min(Math.max(1, page), preview), offset: 0 }
      storePlace(place, target.current)
      setCurrent(target.current.page)
      setRequests((count) => count + 1)
    },
    [preview, place],
  )

  const [placeBefore] = useState(() => place.current)
  /** Going back, the router restores the scroll position; without the text, which may come later, it is another place. */
  const isRestored = () => {
    if (!column.current || window.scrollY === 0) return false
    const [marks, { top }] = [readMarks(column.current), visibleArea(frame.current, column.current, full)]
    if (!marks.some(({ page }) => page === start)) return false
    return placeAt(top, marks, readSpans(column.current), column.current.offsetHeight).page === start
  }
  const begin = useEffectEvent(() => {
    const first = placeBefore ?? (start > 1 && !isRestored() ? { page: start, offset: 0 } : undefined)
    if (first && (first.page > 1 || first.offset > 0)) target.current = first
    scrollToTarget()
  })
  // Before anything is measured.
  useLayoutEffect(() => begin(), [])
  // The pages of a buyer come later than those of everybody, and the page of the address may be one of them.
  const [firstStart] = useState(start)
  const goToLaterStart = useEffectEvent((page: number) => {
    if (current === 1) goTo(page)
  })
  useEffect(() => {
    if (start === firstStart) return undefined
    const timer = setTimeout(() => goToLaterStart(start))
    return () => clearTimeout(timer)
  }, [start, firstStart])

  const keepPlace = useEffectEvent(({ isSetAnew }: { isSetAnew: boolean; causes: unknown[] }) => {
    if (target.current) scrollToTarget()
    else if (anchor.current && column.current) {
      const { distance, page, offset } = anchor.current
      const marks = readMarks(column.current)
      const mark = marks.find((candidate) => candidate.page === page)
      const y = isSetAnew
        ? positionOf({ page, offset }, marks, column.current.offsetHeight)
        : mark && mark.top + distance
      if (y !== undefined) scrollToPosition({ frame, column, full }, y)
    }
    update()
  })
  useLayoutEffect(() => keepPlace({ isSetAnew: false, causes: [content] }), [content])
  useLayoutEffect(() => keepPlace({ isSetAnew: true, causes: [setting, full, requests] }), [setting, full, requests])

  useEffect(() => {
    const scroller = full && frame.current ? frame.current : window
    let request = 0
    const schedule = () => void (request ||= requestAnimationFrame(run))
    const run = () => {
      request = 0
      update()
    }
    // On phones the height changes whenever the bars of the browser come and go.
    let width = window.innerWidth
    const resize = () => {
      if (window.innerWidth === width) return schedule()
      width = window.innerWidth
      return keepPlace({ isSetAnew: true, causes: [width] })
    }
    /** A reader who scrolls does not want to be moved any more. */
    const letGo = () => (target.current = undefined)
    scroller.addEventListener('scroll', schedule, { passive: true })
    window.addEventListener('resize', resize)
    window.addEventListener('wheel', letGo, { passive: true })
    window.addEventListener('touchmove', letGo, { passive: true })
    return () => {
      cancelAnimationFrame(request)
      scroller.removeEventListener('scroll', schedule)
      window.removeEventListener('resize', resize)
      window.removeEventListener('wheel', letGo)
      window.removeEventListener('touchmove', letGo)
    }
  }, [frame, full])

  return { current, goTo }
}
