import {
  naturalWidth,
  shownSize,
  widthInPixels,
  type Arrangement,
  type PageSize,
  type Zoom,
} from '#web/features/documents/reader/pages/page-layout.ts'

const steps = [50, 75, 100, 125, 150, 200, 250, 300]
const maxPercent = 500
/** Near the fitted width, a pinch ends there. */
const snap = 1.05

/** The zoom in percent of the page's natural size. */
export function zoomPercent(size: PageSize, arrangement: Arrangement): number {
  if (typeof arrangement.zoom === 'number') return arrangement.zoom
  return Math.round((widthInPixels(size, arrangement) / naturalWidth(shownSize(size, arrangement))) * 100)
}

/** The next step up or down; undefined at the end. */
export function zoomStep(percent: number, direction: 1 | -1): number | undefined {
  return direction === 1 ? steps.find((step) => step > percent) : steps.findLast((step) => step < percent)
}

/** After a pinch; pages do not get narrower than the column. */
export function zoomByPinch(percent: number, factor: number, fitPercent: number): Zoom {
  const next = Math.round(percent * factor)
  return next < fitPercent * snap ? 'width' : Math.min(maxPercent, next)
}

/** After a double tap: so that `share` of the width fills the column, or twice as large where that would change little. */
export function zoomByTap(fitPercent: number, share = 1): number {
  const factor = share > 0 && share < 0.85 ? Math.min(4, 0.96 / share) : 2
  return Math.min(maxPercent, Math.round(fitPercent * factor))
}
