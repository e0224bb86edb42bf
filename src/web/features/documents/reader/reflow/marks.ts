import type { RefObject } from 'react'
import { ownScroll, visibleArea } from '#web/features/documents/reader/pages/viewport.ts'
import type { Place } from '#web/features/documents/reader/view/place.ts'

/** The elements of the text view. */
export interface TextView {
  /** The whole reader. */
  frame: RefObject<HTMLElement | null>
  /** The text in it. */
  column: RefObject<HTMLElement | null>
  full: boolean
}

/** The start of a page, in pixels from the top of the text. */
export interface MarkPosition {
  page: number
  top: number
}

/** A part of the text that is loaded at once, in pixels from the top of the text. */
export interface Span {
  first: number
  last: number
  top: number
  bottom: number
}

/** The space above the first line of a page that was gone to. */
const gap = 4
/** Browsers scroll by whole pixels: a page that was gone to may begin a little lower than asked for. */
const rounding = 1

export function readMarks(column: HTMLElement): MarkPosition[] {
  const { top } = column.getBoundingClientRect()
  return [...column.querySelectorAll<HTMLElement>('[data-page]')].map((mark) => ({
    page: Number(mark.dataset['page']),
    top: mark.getBoundingClientRect().top - top,
  }))
}

export function readSpans(column: HTMLElement): Span[] {
  const { top } = column.getBoundingClientRect()
  return [...column.querySelectorAll<HTMLElement>('[data-first]')].map((span) => {
    const box = span.getBoundingClientRect()
    const { first, last } = span.dataset
    return { first: Number(first), last: Number(last), top: box.top - top, bottom: box.bottom - top }
  })
}

/** What is at `y`. Where no text is loaded, pages are taken to be alike. */
export function placeAt(y: number, marks: readonly MarkPosition[], spans: readonly Span[], end: number): Place {
  const span = spans.findLast(({ top }) => top <= y) ?? spans[0]
  const known = marks.findLast((mark) => mark.top <= y + gap + rounding)
  if (known && (!span || known.page >= span.first || known.top >= span.top)) {
    const next = marks.find((mark) => mark.page > known.page)?.top ?? end
    return { page: known.page, offset: toFraction(y - known.top, next - known.top) }
  }
  if (!span) return { page: 1, offset: 0 }
  const count = span.last - span.first + 1
  const pages = toFraction(y - span.top, span.bottom - span.top) * count
  return { page: Math.min(span.last, span.first + Math.floor(pages)), offset: pages % 1 }
}

/** Where a place is; undefined while its page is not loaded. */
export function positionOf({ page, offset }: Place, marks: readonly MarkPosition[], end: number): number | undefined {
  const mark = marks.find((candidate) => candidate.page === page)
  if (!mark) return undefined
  const next = marks.find((candidate) => candidate.page > page)?.top ?? end
  return mark.top + offset * (next - mark.top) - (offset === 0 ? gap : 0)
}

/** Scrolls what is at `y` to the top of the visible area. */
export function scrollToPosition({ frame, column, full }: TextView, y: number): void {
  if (!column.current) return
  const { top } = visibleArea(frame.current, column.current, full)
  if (Math.abs(y - top) <= 1) return
  ownScroll.isExpected = !full
  const scroller = full ? frame.current : document.scrollingElement
  scroller?.scrollBy({ top: y - top, behavior: 'instant' })
}

function toFraction(part: number, whole: number): number {
  return Math.min(1, Math.max(0, part / Math.max(1, whole)))
}
