import { naturalWidth, type PageSize, type Zoom } from '#web/features/documents/reader/page-layout.ts'

const steps = [50, 75, 100, 125, 150, 200, 250, 300]

/** The percentage that a zoom amounts to on a page. */
export function percentOf(zoom: Zoom, size: PageSize, room: { width: number; height: number }): number {
  if (typeof zoom === 'number') return zoom
  const ratio = size.height / size.width
  const width = zoom === 'width' ? room.width : Math.min(room.width, room.height / ratio)
  return Math.round((width / naturalWidth(size)) * 100)
}

/** The next step up or down; nothing when there is none. */
export function zoomStep(percent: number, direction: 1 | -1): number | undefined {
  return direction === 1 ? steps.find((step) => step > percent) : steps.findLast((step) => step < percent)
}

/** A double tap goes to twice the width, and back. */
export function zoomByTap(zoom: Zoom, fit: number): Zoom {
  return zoom === 'width' ? Math.min(300, Math.max(50, fit * 2)) : 'width'
}
