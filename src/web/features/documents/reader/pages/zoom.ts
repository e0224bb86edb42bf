import { naturalWidth, type PageSize, type Zoom } from '#web/features/documents/reader/pages/page-layout.ts'

const steps = [50, 75, 100, 125, 150, 200, 250, 300]

/** The zoom in percent of the page's natural size. */
export function zoomPercent(zoom: Zoom, size: PageSize, viewport: { width: number; height: number }): number {
  if (typeof zoom === 'number') return zoom
  const ratio = size.height / size.width
  const width = zoom === 'width' ? viewport.width : Math.min(viewport.width, viewport.height / ratio)
  return Math.round((width / naturalWidth(size)) * 100)
}

/** The next step up or down; undefined at the end. */
export function zoomStep(percent: number, direction: 1 | -1): number | undefined {
  return direction === 1 ? steps.find((step) => step > percent) : steps.findLast((step) => step < percent)
}

/** A double tap toggles between the fitted width and twice of it. */
export function zoomByTap(zoom: Zoom, fitPercent: number): Zoom {
  return zoom === 'width' ? Math.min(300, Math.max(50, fitPercent * 2)) : 'width'
}
