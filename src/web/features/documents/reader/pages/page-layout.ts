/** The position of every page, computed before any page has loaded, so that nothing moves later. */

export interface PageSize {
  width: number
  height: number
}

/** `count` consecutive pages of one size. */
export interface SizeRun extends PageSize {
  count: number
}

/** Fit to width, fit to page, or percent of the natural size. */
export type Zoom = 'width' | 'page' | number

/** A fraction of the column's width plus pixels: CSS can use it before the column is measured. */
interface Length {
  column: number
  px: number
}

export interface Box {
  width: Length
  height: Length
  top: Length
}

export interface PageLayout {
  box: (page: number) => Box
  /** The lower edge of a page, with the gap and the ad below it. */
  end: (page: number) => Length
}

interface LayoutOptions {
  sizes: readonly SizeRun[]
  count: number
  zoom: Zoom
  viewport: { width: number; height: number }
  /** Ads after each `every` pages, with their heights in pixels. */
  ads: { every: number; height: (index: number) => number }
}

export const pageGap = 16

export function layoutPages({ sizes, count, zoom, viewport, ads }: LayoutOptions): PageLayout {
  const sizeOf = pageSizes(sizes, count)
  const columns = new Float64Array(count + 1)
  const pixels = new Float64Array(count + 1)
  for (let page = 1; page <= count; page += 1) {
    const { height } = scale(sizeOf(page), zoom, viewport)
    const ad = page % ads.every === 0 && page < count ? page / ads.every - 1 : -1
    columns[page] = (columns[page - 1] ?? 0) + height.column
    pixels[page] = (pixels[page - 1] ?? 0) + height.px + pageGap + (ad < 0 ? 0 : ads.height(ad))
  }
  const end = (page: number): Length => ({ column: columns[page] ?? 0, px: pixels[page] ?? 0 })
  return { end, box: (page) => ({ ...scale(sizeOf(page), zoom, viewport), top: end(page - 1) }) }
}

/** The page at a vertical position of the column (binary search). */
export function pageAt(
  { end }: PageLayout,
  { y, column, count }: { y: number; column: number; count: number },
): number {
  let low = 1
  let high = Math.max(1, count)
  while (low < high) {
    const middle = (low + high) >> 1
    if (toPixels(end(middle), column) > y) high = middle
    else low = middle + 1
  }
  return low
}

export function toPixels({ column, px }: Length, width: number): number {
  return column * width + px
}

/** For CSS inside the column, which is a size container. */
export function toCss({ column, px }: Length): string {
  return column === 0 ? `${round(px)}px` : `calc(${round(column * 100)}cqi + ${round(px)}px)`
}

export function pageSizes(runs: readonly SizeRun[], count: number): (page: number) => PageSize {
  const valid = runs.filter(({ width, height }) => width > 0 && height > 0)
  const list: PageSize[] = []
  for (const run of valid) {
    for (let left = Math.min(run.count, count - list.length); left > 0; left -= 1) list.push(run)
  }
  return (page) => list[page - 1] ?? valid[0] ?? a4
}

/** The size at 100 %: points are 1/72 inch, CSS pixels 1/96. */
export function naturalWidth({ width }: PageSize): number {
  return (width * 4) / 3
}

const a4: PageSize = { width: 595, height: 842 }

function scale(size: PageSize, zoom: Zoom, viewport: LayoutOptions['viewport']): Pick<Box, 'width' | 'height'> {
  const ratio = size.height / size.width
  if (zoom === 'width' || (zoom === 'page' && viewport.width <= 0)) {
    return { width: { column: 1, px: 0 }, height: { column: ratio, px: 0 } }
  }
  const width =
    zoom === 'page' ? Math.min(viewport.width, viewport.height / ratio) : (naturalWidth(size) * Math.max(1, zoom)) / 100
  return { width: { column: 0, px: width }, height: { column: 0, px: width * ratio } }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
