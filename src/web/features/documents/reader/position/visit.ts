/**
 * Which pages are kept as the place of a reader: where he stayed, or read on to; not those that he passes on his way to a
 * button above the document.
 */

/** The part of the document where the reader is now. */
export interface Visit {
  page: number
  since: number
}

/** How long a reader stays before a page replaces a place that he would miss. */
const stayMs = 3000
/** Moving up to so many pages further is reading on. */
const readingOn = 3
/** A place on one of the first pages is found again without help. */
const worthKeeping = 3

/** Reading on does not end a stay; going back, and going far, does. */
export function nextVisit(before: Visit | undefined, page: number, now: number): Visit {
  const isReadingOn = before !== undefined && page >= before.page && page - before.page <= readingOn
  return { page, since: isReadingOn ? before.since : now }
}

/** After how many milliseconds the page of the visit takes the place of the page kept; undefined for never. */
export function waitBeforeKeeping(kept: number, { page, since }: Visit, now: number): number | undefined {
  // Above the document is its first page: who reads on from there is kept with the second.
  if (page === 1 && kept > worthKeeping) return undefined
  if (page > kept && (page - kept <= readingOn || kept <= worthKeeping)) return 0
  return Math.max(0, since + stayMs - now)
}
