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
  type Crop,
  type PageLayout,
  type Rotation,
  type SizeRun,
  type Zoom,
} from '#web/features/documents/reader/pages/page-layout.ts'
import { useGoal } from '#web/features/documents/reader/pages/use-goal.ts'
import { nextStep, pagesToRender, pagesShownFor } from '#web/features/documents/reader/pages/page-steps.ts'
import {
  hasPicture,
  isCroppedByCss,
  pointOnPage,
  scrollPointTo,
  scrollToPage,
  visibleArea,
  type PagePoint,
} from '#web/features/documents/reader/pages/viewport.ts'
import { zoomPercent, zoomStep } from '#web/features/documents/reader/pages/zoom.ts'
import type { Preferences } from '#web/features/documents/reader/preferences/preferences.ts'
import { storePlace, type PlaceRef } from '#web/features/documents/reader/view/place.ts'
import { phoneQuery } from '#web/lib/browser/media-query.ts'

interface ReaderOptions {
  /** The whole reader. */
  frame: RefObject<HTMLElement | null>
  /** The column of pages in it. */
  column: RefObject<HTMLElement | null>
  sizes: readonly SizeRun[]
  /** The margins that all pages have, if they are alike. */
  margins: Crop | undefined
  preview: number
  step: number
  start: number
  ads: { every: number; height: (index: number) => number }
  full: boolean
  preferences: Preferences
  /** Shared with the other views. */
  place: PlaceRef
}

/** A point of a page, and where in the window it is to be after a change of zoom. */
interface Focus extends PagePoint {
  clientX: number
  clientY: number
}

export type ReaderState = ReturnType<typeof useReader>

/** The pages that are shown, their zoom, and the current page. Positions are computed: pages need not be rendered. */
export function useReader(options: ReaderOptions) {
  const { frame, column, sizes, margins, preview, step, start, ads, full, preferences, place } = options
  const limits = useMemo(() => ({ step, preview }), [step, preview])
  const [shown, setShown] = useState(() => pagesShownFor(place.current?.page ?? start, limits))
  const [zoom, setZoom] = useState<Zoom>('width')
  const [rotation, setRotation] = useState<Rotation>(0)
  const [view, setView] = useState({ current: 1, from: 1, to: 1 })
  const { goal, setGoal, onArrived } = useGoal()
  const [viewport, setViewport] = useState({ width: 0, height: 0, isCropped: false, isNarrow: true })
  /** The line at the top of the visible area; `offset` is a fraction of the page's height. */
  const anchor = useRef({ page: 1, offset: 0, isBelowStart: false })
  const focus = useRef<Focus>(undefined)
  const isPrinting = useRef(false)

  const isMeasured = viewport.width > 0
  const crop = viewport.isCropped ? margins : undefined
  const spread = viewport.isNarrow ? 'single' : preferences.spread
  const arrangement = useMemo(
    () => ({ zoom, viewport, crop, rotation, spread }),
    [zoom, viewport, crop, rotation, spread],
  )
  const layout = useMemo(
    () => layoutPages({ sizes, count: preview, ads, ...arrangement }),
    [sizes, preview, ads, arrangement],
  )
  /** For the first render, before it is known whether margins are cropped. */
  const croppedLayout = useMemo(
    () =>
      margins && !isMeasured ? layoutPages({ sizes, count: preview, ads, ...arrangement, crop: margins }) : undefined,
    [margins, isMeasured, sizes, preview, ads, arrangement],
  )
  // The preview of a document that is being converted grows.
  const count = Math.max(Math.min(shown, preview), pagesShownFor(1, limits))

  const updateView = useCallback(() => {
    if (!column.current || isPrinting.current) return
    const { width, top, bottom } = visibleArea(frame.current, column.current, full)
    const at = (y: number) => pageAt(layout, { y, column: width, count })
    const screen = bottom - top
    const page = at(top)
    const { top: pageTop, height } = layout.box(page)
    const offset = (top - toPixels(pageTop, width)) / Math.max(1, toPixels(height, width))
    anchor.current = { page, offset: Math.min(1, Math.max(0, offset)), isBelowStart: top > 0 }
    storePlace(place, anchor.current)
    // The current page fills the upper part of the screen, or is the first that shows more than half of itself.
    const line = top + Math.min(screen * 0.4, toPixels(height, width) / 2)
    const [, last] = layout.row(at(bottom + screen))
    const next = { current: at(line), from: at(top - screen), to: last }
    setView((before) => (isSame(before, next) ? before : next))
  }, [frame, column, layout, count, full, place])

  const measure = useCallback(() => {
    if (!column.current) return
    const { width, top, bottom } = visibleArea(frame.current, column.current, full)
    const next = {
      width: Math.round(width),
      height: Math.round(bottom - top - 2 * pageGap),
      isCropped: isCroppedByCss(),
      isNarrow: matchMedia(phoneQuery).matches,
    }
    // oxlint-disable-next-line react/set-state-in-effect -- only the browser knows it, and it is needed before the first paint
    setViewport((before) => (isSame(before, next) ? before : next))
  }, [frame, column, full])
  useLayoutEffect(measure, [measure, preferences])

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
  const keepPosition = useEffectEvent((now: PageLayout, isFull: boolean) => {
    const { page, offset, isBelowStart } = anchor.current
    const view = { frame, column, layout: now, full: isFull }
    if (focus.current) scrollPointTo(view, focus.current, focus.current)
    else {
      if (wasMeasured.current && (isBelowStart || isFull)) scrollToPage(view, page, offset)
      const wrapper = column.current?.parentElement
      wrapper?.scrollTo({ left: (wrapper.scrollWidth - wrapper.clientWidth) / 2 })
    }
    focus.current = undefined
    wasMeasured.current = isMeasured
  })
  useLayoutEffect(() => keepPosition(layout, full), [layout, full])

  // Paper has a layout of its own, in which the scroll position is lost.
  const endPrinting = useEffectEvent(() => {
    isPrinting.current = false
    keepPosition(layout, full)
  })
  useEffect(() => {
    const begin = () => (isPrinting.current = true)
    const end = () => endPrinting()
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])

  const goTo = useCallback(
    (page: number) => {
      const target = Math.min(Math.max(1, page), preview)
      // In one render, which also includes what timers have set: none of the other pages requests its picture now.
      flushSync(() => {
        setShown((before) => Math.max(before, pagesShownFor(target, limits)))
        // Before the next frame: another key press or leaving full screen must start from here.
        setView({ current: target, from: target, to: target })
        setGoal(hasPicture(column.current, target) ? undefined : target)
      })
      scrollTo(target)
      anchor.current = { page: target, offset: 0, isBelowStart: true }
    },
    [column, preview, limits, scrollTo, setGoal],
  )

  // The place in the view before, or the page of the address; after going back the router has restored the scroll
  // position already.
  const [placeBefore] = useState(() => place.current)
  const isAtStart = useRef(false)
  const scrollToStart = useEffectEvent(() => {
    if (isAtStart.current) return
    isAtStart.current = true
    const { page, offset } = placeBefore ?? { page: 1, offset: 0 }
    if (page > 1 || offset > 0) {
      scrollToPage({ frame, column, layout, full }, page, offset)
      setGoal(page)
    } else if (start > 1 && window.scrollY === 0) {
      scrollTo(start)
      setGoal(start)
    }
  })
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- once, and only the browser knows where it has scrolled to
    if (isMeasured) scrollToStart()
  }, [isMeasured])
  // The pages of a buyer come later than those of everybody, and the page of the address may be one of them.
  const [firstStart] = useState(start)
  const goToLaterStart = useEffectEvent((page: number) => {
    if (view.current === 1) goTo(page)
  })
  useEffect(() => {
    if (start === firstStart) return undefined
    const timer = setTimeout(() => goToLaterStart(start))
    return () => clearTimeout(timer)
  }, [start, firstStart])

  const size = useMemo(() => pageSizes(sizes, 1)(1), [sizes])
  const percent = isMeasured ? zoomPercent(size, arrangement) : 0
  const [from, to] = pagesToRender(view, count)
  const current = Math.min(view.current, count)
  const [first, last] = layout.row(current)
  const readerView = { frame, column, layout, full }
  return {
    layout,
    croppedLayout,
    /** What is cut off; until the first measurement what CSS may cut off. */
    crop: isMeasured ? crop : margins,
    isMeasured,
    isCroppable: margins !== undefined,
    isCropped: crop !== undefined,
    isNarrow: viewport.isNarrow,
    rotation,
    spread,
    shown: count,
    preview,
    current,
    /** The pages to render. */
    rendered: Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index),
    zoom,
    percent,
    fitPercent: isMeasured ? zoomPercent(size, { ...arrangement, zoom: 'width' }) : 0,
    size,
    goTo,
    /** The page whose picture comes before all others; none once it is there, or scrolled away from. */
    awaited: goal !== undefined && goal >= from && goal <= to ? goal : undefined,
    onArrived,
    /** The first pages of the rows before and after this one; undefined at the ends. */
    previous: first > 1 ? layout.row(first - 1)[0] : undefined,
    next: last < preview ? last + 1 : undefined,
    showMore: () => setShown((before) => nextStep(before, limits)),
    setZoom,
    zoomIn: zoomStep(percent, 1),
    zoomOut: zoomStep(percent, -1),
    rotate: () => setRotation((before) => quarterTurn[before]),
    /** What of a page is at a position of the window. */
    pointAt: (clientX: number, clientY: number) => pointOnPage(readerView, clientX, clientY, count),
    /** Changes the zoom so that a point of a page comes to a position of the window. */
    zoomAround: (next: Zoom, target: Focus) => {
      if (next === zoom) return
      focus.current = target
      setZoom(next)
    },
  }
}

const quarterTurn: Record<Rotation, Rotation> = { 0: 90, 90: 180, 180: 270, 270: 0 }

/** Throttles to one call for each animation frame. */
function oncePerFrame(callback: () => void): { schedule: () => void; cancel: () => void } {
  let frame = 0
  const run = () => {
    frame = 0
    callback()
  }
  return { schedule: () => void (frame ||= requestAnimationFrame(run)), cancel: () => cancelAnimationFrame(frame) }
}

function isSame<T extends object>(a: T, b: T): boolean {
  return Object.entries(a).every(([name, value]) => (b as Record<string, unknown>)[name] === value)
}
