import type { HitPosition } from '#web/features/documents/reader/find/highlights.ts'

/** The pages with hits, in their order. */
export type PageHits = readonly { page: number; hits: number }[]

export function countHits(pages: PageHits): number {
  return pages.reduce((sum, { hits }) => sum + hits, 0)
}

/** Counted from 1 over the whole document; 0 if there is no such hit. */
export function hitNumber(pages: PageHits, position: HitPosition | undefined): number {
  let before = 0
  for (const { page, hits } of pages) {
    if (page === position?.page) return position.hit < hits ? before + position.hit + 1 : 0
    before += hits
  }
  return 0
}

/** The first hit on this page or after it; after the last one, the first of the document. */
export function firstHitFrom(pages: PageHits, page: number): HitPosition | undefined {
  const target = pages.find((candidate) => candidate.page >= page) ?? pages[0]
  return target && { page: target.page, hit: 0 }
}

/** The next or previous hit, cyclically. */
export function adjacentHit(pages: PageHits, position: HitPosition, direction: 1 | -1): HitPosition | undefined {
  const index = pages.findIndex(({ page }) => page === position.page)
  const hit = position.hit + direction
  if (index < 0) return firstHitFrom(pages, position.page)
  if (hit >= 0 && hit < (pages[index]?.hits ?? 0)) return { page: position.page, hit }
  const next = pages[(index + direction + pages.length) % pages.length]
  return next && { page: next.page, hit: direction === 1 ? 0 : next.hits - 1 }
}
