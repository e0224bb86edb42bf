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
  toPixels,
  layoutPages,
  pageAt,
  pageGap,
  pageSizes,
  type PageLayout,
  type SizeRun,
  type Zoom,
} from '#web/features/documents/reader/pages/page-layout.ts'
import { nextStep, pagesToRender, pagesShownFor } from '#web/features/documents/reader/pages/page-steps.ts'
import type { PlaceRef } from '#web/features/documents/reader/view/place.ts'
import { scrollToPage, visibleArea } from '#web/features/documents/reader/pages/viewport.ts'
import { zoomPercent, zoomByTap, zoomStep } from '#web/features/documents/reader/pages/zoom.ts'

interface ReaderOptions {
  /** The whole reader. */
  frame: RefObject<HTMLElement | null>
  /** The column of pages in it. */
  column: RefObject<HTMLElement | null>
  sizes: readonly SizeRun[]
  preview: number
  step: number
  start: number
  ads: { every: number; height: (index: number) => number }
  full: boolean
  /** Shared with the other views. */
  place: PlaceRef
}

export type ReaderState = ReturnType<typeof useReader>

/** The pages that are shown, their zoom, and the current page. Positions are computed: pages need not be rendered. */
export function useReader({ frame, column, sizes, preview, step, start, ads, full, place }: ReaderOptions) {
  const limits = useMemo(() => ({ step, preview }), [step, preview])
  const [shown, setShown] = useState(() => pagesShownFor(place.current?.page ?? start, limits))
  const [zoom, setZoom] = useState<Zoom>('width')
  const [view, setView] = useState({ current: 1, from: 1, to: 1 })
  const [viewport, setViewport] = useState({ width: 0, height: 0 })
  /** The line at the top of the visible area; `offset` is a fraction of the page's height. */
  const anchor = useRef({ page: 1, offset: 0, isBelowStart: false })

  const layout = useMemo(
    () => layoutPages({ sizes, count: preview, zoom, viewport, ads }),
    [sizes, preview, zoom, viewport, ads],
  )
  // The preview of a document that is being converted grows.
  const count = Math.max(Math.min(shown, preview), pagesShownFor(1, limits))

  const updateView = useCallback(() => {
    if (!column.current) return
    const { width, top, bottom } = visibleArea(frame.current, column.current, full)
    const at = (y: number) => pageAt(layout, { y, column: width, count })
    const screen = bottom - top
    const page = at(top)
    const { top: pageTop, height } = layout.box(page)
    const offset = (top - toPixels(pageTop, width)) / Math.max(1, toPixels(height, width))
    anchor.current = { page, offset: Math.min(1, Math.max(0, offset)), isBelowStart: top > 0 }
    place.current = anchor.current
    // The current page fills the upper part of the screen, or is the first that shows more than half of itself.
    const line = top + Math.min(screen * 0.4, toPixels(height, width) / 2)
    const next = { current: at(line), from: at(top - screen), to: at(bottom + screen) }
    setView((before) => (isSame(before, next) ? before : next))
  }, [frame, column, layout, count, full, place])

  const measure = useCallback(() => {
    if (!column.current) return
    const { width, top, bottom } = visibleArea(frame.current, column.current, full)
    const next = { width: Math.round(width), height: Math.round(bottom - top - 2 * pageGap) }
    setViewport((before) => (before.width === next.width && before.height === next.height ? before : next))
  }, [frame, column, full])

  const scrollTo = useCallback(
    (page: number) => scrollToPage({ frame, column, layout, full }, page, 0),
    [frame, column, layout, full],
  )

  useEffect(() => {
    const target = full && frame.current ? frame.current : window
    const { schedule, cancel } = oncePerFrame(updateView)
    schedule()
    target.addEventListener('scroll', schedule, { passive: true })
    return () => {
      cancel()
      target.removeEventListener('scroll', schedule)
    }
  }, [frame, updateView, full])

  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (column.current) observer.observe(column.current)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [column, measure])

  // After a change of the layout the line at the top stays in place.
  const wasMeasured = useRef(false)
  /** The horizontal position to center, as a fraction of the width. */
  const focusX = useRef(0.5)
  const keepPosition = useEffectEvent((now: PageLayout, isFull: boolean, isMeasured: boolean) => {
    const { page, offset, isBelowStart } = anchor.current
    if (wasMeasured.current && (isBelowStart || isFull))
      scrollToPage({ frame, column, layout: now, full: isFull }, page, offset)
    wasMeasured.current = isMeasured
    const wrapper = column.current?.parentElement
    wrapper?.scrollTo({ left: wrapper.scrollWidth * focusX.current - wrapper.clientWidth / 2 })
    focusX.current = 0.5
  })
  const isMeasured = viewport.width > 0
  useLayoutEffect(() => keepPosition(layout, full, isMeasured), [layout, full, isMeasured])

  const goTo = useCallback(
    (page: number) => {
      const target = Math.min(Math.max(1, page), preview)
      flushSync(() => setShown((before) => Math.max(before, pagesShownFor(target, limits))))
      scrollTo(target)
      // Before the next frame: another key press or leaving full screen must start from here.
      anchor.current = { page: target, offset: 0, isBelowStart: true }
      setView({ current: target, from: target, to: target })
    },
    [preview, limits, scrollTo],
  )

  // The place in the view before, or the page of the address; after going back the router has restored the scroll
  // position already.
  const scrollToStart = useEffectEvent(() => {
    const { page, offset } = place.current ?? { page: 1, offset: 0 }
    if (page > 1 || offset > 0) scrollToPage({ frame, column, layout, full }, page, offset)
    else if (start > 1 && window.scrollY === 0) scrollTo(start)
  })
  useEffect(() => scrollToStart(), [])

  const size = useMemo(() => pageSizes(sizes, 1)(1), [sizes])
  const percent = isMeasured ? zoomPercent(zoom, size, viewport) : 0
  const [from, to] = pagesToRender(view, count)
  return {
    layout,
    shown: count,
    preview,
    current: Math.min(view.current, count),
    /** The pages to render. */
    rendered: Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index),
    zoom,
    percent,
    size,
    goTo,
    showMore: () => setShown((before) => nextStep(before, limits)),
    setZoom,
    zoomIn: zoomStep(percent, 1),
    zoomOut: zoomStep(percent, -1),
    /** `position` is a fraction of the width. */
    zoomByTap: (position: number) => {
      focusX.current = position
      setZoom(zoomByTap(zoom, zoomPercent('width', size, viewport)))
    },
  }
}

/** Throttles to one call for each animation frame. */
function oncePerFrame(callback: () => void): { schedule: () => void; cancel: () => void } {
  let frame = 0
  const run = () => {
    frame = 0
    callback()
  }
  return { schedule: () => void (frame ||= requestAnimationFrame(run)), cancel: () => cancelAnimationFrame(frame) }
}

function isSame(a: { current: number; from: number; to: number }, b: typeof a): boolean {
  return a.current === b.current && a.from === b.from && a.to === b.to
}
