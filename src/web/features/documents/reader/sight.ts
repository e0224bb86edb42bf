import type { RefObject } from 'react'
import { inPixels, pageGap, type PageLayout } from '#web/features/documents/reader/page-layout.ts'

interface Scene {
  frame: RefObject<HTMLElement | null>
  column: RefObject<HTMLElement | null>
  layout: PageLayout
  full: boolean
}

/** Scrolls so that a page, or a line of it, stands at the top of what is seen. */
export function bring({ frame, column, layout, full }: Scene, page: number, share: number): void {
  if (!column.current) return
  const { width, top } = viewOf(frame.current, column.current, full)
  const box = layout.box(page)
  const target = inPixels(box.top, width) + inPixels(box.height, width) * share - (share === 0 ? pageGap / 2 : 0)
  const scroller = full ? frame.current : document.scrollingElement
  scroller?.scrollBy({ top: target - top, behavior: 'instant' })
}

/** What is seen of the column, in its own coordinates: below what sticks to the top, above what sticks to the bottom. */
export function viewOf(frame: HTMLElement | null, column: HTMLElement, full: boolean) {
  const { width, top } = column.getBoundingClientRect()
  const bar = frame?.querySelector('[data-reader-bar]')?.getBoundingClientRect()
  const isBelow = bar !== undefined && bar.top > window.innerHeight / 2 && matchMedia('(max-width: 767px)').matches
  const header = full ? 0 : headerHeight
  const upper = header + (bar && !isBelow ? bar.height : 0)
  const lower = window.innerHeight - (isBelow ? bar.height : 0)
  return { width, top: upper - top, bottom: lower - top }
}

const headerHeight = 65
