import type { RefObject } from 'react'
import { toPixels, pageGap, type PageLayout } from '#web/features/documents/reader/pages/page-layout.ts'

interface ReaderView {
  frame: RefObject<HTMLElement | null>
  column: RefObject<HTMLElement | null>
  layout: PageLayout
  full: boolean
}

/** Scrolls a page to the top of the visible area; `offset` is a fraction of its height. */
export function scrollToPage({ frame, column, layout, full }: ReaderView, page: number, offset: number): void {
  if (!column.current) return
  const { width, top } = visibleArea(frame.current, column.current, full)
  const box = layout.box(page)
  const target = toPixels(box.top, width) + toPixels(box.height, width) * offset - (offset === 0 ? pageGap / 2 : 0)
  const scroller = full ? frame.current : document.scrollingElement
  scroller?.scrollBy({ top: target - top, behavior: 'instant' })
}

/** The visible part of the column, in its own coordinates: without the sticky header and toolbar. */
export function visibleArea(frame: HTMLElement | null, column: HTMLElement, full: boolean) {
  const { width, top } = column.getBoundingClientRect()
  const bar = frame?.querySelector('[data-reader-bar]')?.getBoundingClientRect()
  const isBelow = bar !== undefined && bar.top > window.innerHeight / 2 && matchMedia('(max-width: 767px)').matches
  const header = full ? 0 : headerHeight
  const upper = header + (bar && !isBelow ? bar.height : 0)
  const lower = window.innerHeight - (isBelow ? bar.height : 0)
  return { width, top: upper - top, bottom: lower - top }
}

const headerHeight = 65
