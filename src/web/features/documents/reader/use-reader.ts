import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { flushSync } from 'react-dom'
import {
  inPixels,
  layOut,
  pageAt,
  pageGap,
  sizesOf,
  type PageLayout,
  type SizeRun,
  type Zoom,
} from '#web/features/documents/reader/page-layout.ts'
import { nextStep, pagesToHold, shownFor } from '#web/features/documents/reader/page-steps.ts'
import { bring, viewOf } from '#web/features/documents/reader/sight.ts'
import { percentOf, zoomByTap, zoomStep } from '#web/features/documents/reader/zoom.ts'

interface ReaderGiven {
  /** The whole reader, and the column of pages in it. */
  frame: RefObject<HTMLElement | null>
  column: RefObject<HTMLElement | null>
  sizes: readonly SizeRun[]
  preview: number
  step: number
  start: number
  between: (place: number) => number
  full: boolean
}

export type ReaderState = ReturnType<typeof useReader>

/** What is shown, how large, and where one is. Positions are computed, never looked up: pages need not be there yet. */
export function useReader({ frame, column, sizes, preview, step, start, between, full }: ReaderGiven) {
  const limits = useMemo(() => ({ step, preview }), [step, preview])
  const [shown, setShown] = useState(() => shownFor(start, limits))
  const [zoom, setZoom] = useState<Zoom>('width')
  const [sight, setSight] = useState({ current: 1, from: 1, to: 1 })
  const [room, setRoom] = useState({ width: 0, height: 0 })
  const anchor = useRef({ page: 1, share: 0, passed: false })

  const layout = useMemo(
    () => layOut({ sizes, count: preview, zoom, room, between: { every: step, height: between } }),
    [sizes, preview, zoom, room, step, between],
  )
  // A document that was opened on its first pages alone may have grown since.
  const count = Math.max(Math.min(shown, preview), shownFor(1, limits))

  const look = useCallback(() => {
    if (!column.current) return
    const { width, top, bottom } = viewOf(frame.current, column.current, full)
    const at = (y: number) => pageAt(layout, { y, column: width, count })
    const screen = bottom - top
    const page = at(top)
    const { top: pageTop, height } = layout.box(page)
    const share = (top - inPixels(pageTop, width)) / Math.max(1, inPixels(height, width))
    anchor.current = { page, share: Math.min(1, Math.max(0, share)), passed: top > 0 }
    // The page one looks at fills the upper part of the screen, or is the first that shows more than half of itself.
    const line = top + Math.min(screen * 0.4, inPixels(height, width) / 2)
    const seen = { current: at(line), from: at(top - screen), to: at(bottom + screen) }
    setSight((before) => (isSame(before, seen) ? before : seen))
  }, [frame, column, layout, count, full])

  const measure = useCallback(() => {
    if (!column.current) return
    const { width, top, bottom } = viewOf(frame.current, column.current, full)
    const next = { width: Math.round(width), height: Math.round(bottom - top - 2 * pageGap) }
    setRoom((before) => (before.width === next.width && before.height === next.height ? before : next))
  }, [frame, column, full])

  const scrollTo = useCallback(
    (page: number, share = 0) => bring({ frame, column, layout, full }, page, share),
    [frame, column, layout, full],
  )

  useEffect(() => {
    const target = full && frame.current ? frame.current : window
    const { ask, stop } = onNextFrame(look)
    ask()
    target.addEventListener('scroll', ask, { passive: true })
    return () => {
      stop()
      target.removeEventListener('scroll', ask)
    }
  }, [frame, look, full])

  useEffect(() => {
    const watcher = new ResizeObserver(measure)
    if (column.current) watcher.observe(column.current)
    window.addEventListener('resize', measure)
    return () => {
      watcher.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [column, measure])

  // Larger or smaller pages: the line one was reading stays where it was.
  const isSettled = useRef(false)
  const aim = useRef(0.5)
  const stay = useEffectEvent((now: PageLayout, isFull: boolean, isMeasured: boolean) => {
    const { page, share, passed } = anchor.current
    if (isSettled.current && (passed || isFull)) bring({ frame, column, layout: now, full: isFull }, page, share)
    isSettled.current = isMeasured
    const wrapper = column.current?.parentElement
    wrapper?.scrollTo({ left: wrapper.scrollWidth * aim.current - wrapper.clientWidth / 2 })
    aim.current = 0.5
  })
  const isMeasured = room.width > 0
  useLayoutEffect(() => stay(layout, full, isMeasured), [layout, full, isMeasured])

  const goTo = useCallback(
    (page: number) => {
      const target = Math.min(Math.max(1, page), preview)
      flushSync(() => setShown((before) => Math.max(before, shownFor(target, limits))))
      scrollTo(target)
      // Known at once, for who presses a key again, or leaves full screen, before the next frame.
      anchor.current = { page: target, share: 0, passed: true }
      setSight({ current: target, from: target, to: target })
    },
    [preview, limits, scrollTo],
  )

  // An address may name a page. Who comes back to where they were has been taken there already.
  const arrive = useEffectEvent(() => {
    if (start > 1 && window.scrollY === 0) scrollTo(start)
  })
  useEffect(() => arrive(), [])

  const size = useMemo(() => sizesOf(sizes, 1)(1), [sizes])
  const percent = isMeasured ? percentOf(zoom, size, room) : 0
  const [from, to] = pagesToHold(sight, count)
  return {
    layout,
    shown: count,
    preview,
    current: Math.min(sight.current, count),
    held: Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place),
    zoom,
    percent,
    size,
    goTo,
    more: () => setShown((before) => nextStep(before, limits)),
    setZoom,
    zoomIn: zoomStep(percent, 1),
    zoomOut: zoomStep(percent, -1),
    /** `share` is where in the width of the page one has tapped. */
    zoomByTap: (share: number) => {
      aim.current = share
      setZoom(zoomByTap(zoom, percentOf('width', size, room)))
    },
  }
}

/** Once for each picture on the screen, however often it is asked for. */
function onNextFrame(act: () => void): { ask: () => void; stop: () => void } {
  let asked = 0
  const run = () => {
    asked = 0
    act()
  }
  return { ask: () => void (asked ||= requestAnimationFrame(run)), stop: () => cancelAnimationFrame(asked) }
}

function isSame(a: { current: number; from: number; to: number }, b: typeof a): boolean {
  return a.current === b.current && a.from === b.from && a.to === b.to
}
