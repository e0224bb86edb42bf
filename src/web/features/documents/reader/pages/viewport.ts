import { phoneQuery } from '#web/lib/browser/media-query.ts'
import type { RefObject } from 'react'
import {
  leftInPixels,
  toPixels,
  pageAt,
  pageGap,
  type PageLayout,
} from '#web/features/documents/reader/pages/page-layout.ts'

interface ReaderView {
  frame: RefObject<HTMLElement | null>
  column: RefObject<HTMLElement | null>
  layout: PageLayout
  full: boolean
}

/** A point of a page, as fractions of what is shown of it. */
export interface PagePoint {
  page: number
  x: number
  y: number
}

/** Set while the reader itself scrolls: the header does not react to it. */
export const ownScroll = { isExpected: false }

/** Scrolls a page to the top of the visible area; `offset` is a fraction of its height. */
export function scrollToPage({ frame, column, layout, full }: ReaderView, page: number, offset: number): void {
  if (!column.current) return
  const { width, top } = visibleArea(frame.current, column.current, full)
  const box = layout.box(page)
  const target = toPixels(box.top, width) + toPixels(box.height, width) * offset - (offset === 0 ? pageGap / 2 : 0)
  scrollBy(full ? frame.current : null, target - top)
}

/** Scrolls a point of a page to a position of the window. */
export function scrollPointTo(
  { frame, column, layout, full }: ReaderView,
  point: PagePoint,
  { clientX, clientY }: { clientX: number; clientY: number },
): void {
  if (!column.current) return
  const { left, top, width } = column.current.getBoundingClientRect()
  const box = layout.box(point.page)
  const x = left + leftInPixels(box, width) + toPixels(box.width, width) * point.x
  const y = top + toPixels(box.top, width) + toPixels(box.height, width) * point.y
  column.current.parentElement?.scrollBy({ left: x - clientX, behavior: 'instant' })
  scrollBy(full ? frame.current : null, y - clientY)
}

/** The point of a page at a position of the window, the nearest one if that is between pages. */
export function pointOnPage(
  { column, layout }: ReaderView,
  clientX: number,
  clientY: number,
  count: number,
): PagePoint {
  const { left, top, width } = column.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1 }
  const [first, last] = layout.row(pageAt(layout, { y: clientY - top, column: width, count }))
  const page = clientX - left >= leftInPixels(layout.box(last), width) ? last : first
  const box = layout.box(page)
  const fraction = (distance: number, side: number) => Math.min(1, Math.max(0, distance / Math.max(1, side)))
  return {
    page,
    x: fraction(clientX - left - leftInPixels(box, width), toPixels(box.width, width)),
    y: fraction(clientY - top - toPixels(box.top, width), toPixels(box.height, width)),
  }
}

/** The visible part of the column, in its own coordinates: without the sticky header and toolbar. */
export function visibleArea(frame: HTMLElement | null, column: HTMLElement, full: boolean) {
  const { width, top } = column.getBoundingClientRect()
  const bar = frame?.querySelector('[data-reader-bar]')?.getBoundingClientRect()
  // Only on phones does the header hide, and is the toolbar at the bottom: which it may not have reached yet, while the
  // page is scrolled beyond the end of the reader, as after a change of the view.
  const isNarrow = matchMedia(phoneQuery).matches
  const isBelow = bar !== undefined && isNarrow
  const isHidden = isNarrow && document.documentElement.hasAttribute('data-header-hidden')
  const header = full || isHidden ? 0 : headerHeight
  const upper = header + (bar && !isBelow ? bar.height : 0)
  const lower = window.innerHeight - (isBelow ? bar.height : 0)
  return { width, top: upper - top, bottom: lower - top }
}

/** Margins are cropped by choice, or on phones; CSS decides it, before any script runs. */
export function isCroppedByCss(): boolean {
  return getComputedStyle(document.documentElement).getPropertyValue('--cropped') === '1'
}

/** Whether the picture of a page is shown already. */
export function hasPicture(column: HTMLElement | null, page: number): boolean {
  const picture = column?.querySelector<HTMLImageElement>(`[data-page="${page}"] img`)
  return picture?.complete === true && picture.naturalWidth > 0
}

const headerHeight = 65

function scrollBy(frame: HTMLElement | null, top: number): void {
  ownScroll.isExpected = !frame
  const scroller = frame ?? document.scrollingElement
  scroller?.scrollBy({ top, behavior: 'instant' })
}
