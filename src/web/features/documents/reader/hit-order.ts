import type { HitPlace } from '#web/features/documents/reader/marks.ts'

/** The hits of a document in the order one meets them: each page with how many it has. */
export type PageHits = readonly { page: number; hits: number }[]

export function totalOf(pages: PageHits): number {
  return pages.reduce((sum, { hits }) => sum + hits, 0)
}

/** Counted from 1; 0 for a place that is none. */
export function ordinalOf(pages: PageHits, place: HitPlace | undefined): number {
  let before = 0
  for (const { page, hits } of pages) {
    if (page === place?.page) return place.hit < hits ? before + place.hit + 1 : 0
    before += hits
  }
  return 0
}

/** The first hit on a page or behind it; from the end one goes on at the beginning. */
export function firstFrom(pages: PageHits, page: number): HitPlace | undefined {
  const found = pages.find((one) => one.page >= page) ?? pages[0]
  return found && { page: found.page, hit: 0 }
}

/** The hit after a place, or before it, round and round. */
export function beside(pages: PageHits, place: HitPlace, direction: 1 | -1): HitPlace | undefined {
  const index = pages.findIndex(({ page }) => page === place.page)
  const hit = place.hit + direction
  if (index < 0) return firstFrom(pages, place.page)
  if (hit >= 0 && hit < (pages[index]?.hits ?? 0)) return { page: place.page, hit }
  const next = pages[(index + direction + pages.length) % pages.length]
  return next && { page: next.page, hit: direction === 1 ? 0 : next.hits - 1 }
}
