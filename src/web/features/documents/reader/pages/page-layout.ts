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

/** Clockwise, in degrees. */
export type Rotation = 0 | 90 | 180 | 270

/** One page in a row, two, or two after a first page alone. */
export type Spread = 'single' | 'double' | 'cover'

/** What is cut off at each edge, as fractions of the page. */
export interface Crop {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Viewport {
  width: number
  height: number
}

/** A fraction of the column's width plus pixels: CSS can use it before the column is measured. */
export interface Length {
  column: number
  px: number
}

export interface Box {
  width: Length
  height: Length
  top: Length
  /** From the left edge of its row. */
  left: Length
  /** The width of its row, which is centered. */
  row: Length
}

export interface PageLayout {
  box: (page: number) => Box
  /** The lower edge of the page's row, with the gap and the ad below it. */
  end: (page: number) => Length
  /** The first and last page of the row that a page is in. */
  row: (page: number) => [first: number, last: number]
  /** The number of the ad below the row; undefined unless this is its last page. */
  ad: (page: number) => number | undefined
}

export interface Arrangement {
  zoom: Zoom
  viewport: Viewport
  crop?: Crop | undefined
  rotation?: Rotation
  spread?: Spread
}

interface LayoutOptions extends Arrangement {
  sizes: readonly SizeRun[]
  count: number
  /** Ads after each `every` pages, with their heights in pixels. */
  ads: { every: number; height: (index: number) => number }
}

export const pageGap = 16

export function layoutPages({ sizes, count, ads, ...arrangement }: LayoutOptions): PageLayout {
  const { spread = 'single' } = arrangement
  const sizeOf = pageSizes(sizes, count)
  const scaled = (page: number) => scale(sizeOf(page), arrangement)
  const row = (page: number) => rowOf(page, spread, count)
  const ad = (page: number): number | undefined => {
    const [first, last] = row(page)
    const number = Math.floor(last / ads.every)
    const hasAd = page === last && last < count && number > Math.floor((first - 1) / ads.every)
    return hasAd ? number - 1 : undefined
  }
  const columns = new Float64Array(count + 1)
  const pixels = new Float64Array(count + 1)
  for (let first = 1; first <= count;) {
    const [, last] = row(first)
    let { height } = scaled(first)
    if (last > first) height = longer(height, scaled(last).height)
    const index = ad(last)
    const column = (columns[first - 1] ?? 0) + height.column
    const px = (pixels[first - 1] ?? 0) + height.px + pageGap + (index === undefined ? 0 : ads.height(index))
    columns.fill(column, first, last + 1)
    pixels.fill(px, first, last + 1)
    first = last + 1
  }
  const end = (page: number): Length => ({ column: columns[page] ?? 0, px: pixels[page] ?? 0 })
  const box = (page: number): Box => {
    const [first, last] = row(page)
    const own = scaled(page)
    const left = page === first ? none : plus(scaled(first).width, gap)
    const width = first === last ? own.width : plus(plus(scaled(first).width, gap), scaled(last).width)
    return { ...own, top: end(first - 1), left, row: width }
  }
  return { end, box, row, ad }
}

/** The first page in the row at a vertical position of the column (binary search). */
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

/** The distance of a page from the column's left edge. */
export function leftInPixels({ left, row }: Box, column: number): number {
  return Math.max(0, (column - toPixels(row, column)) / 2) + toPixels(left, column)
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

/** The size of what is shown of a page: cropped and rotated. */
export function shownSize({ width, height }: PageSize, { crop, rotation = 0 }: Pick<Arrangement, 'crop' | 'rotation'>) {
  const inner = crop
    ? { width: width * (1 - crop.left - crop.right), height: height * (1 - crop.top - crop.bottom) }
    : { width, height }
  return rotation % 180 === 0 ? inner : { width: inner.height, height: inner.width }
}

/** What to cut off of the margins: a rest of them stays; undefined where that is not worth it. */
export function cropOf(margins: Partial<Crop> | undefined): Crop | undefined {
  const { left = 0, top = 0, right = 0, bottom = 0 } = margins ?? {}
  const cut = (margin: number) => Math.max(0, Math.min(0.45, margin) - marginRest)
  const crop = { left: cut(left), top: cut(top), right: cut(right), bottom: cut(bottom) }
  return crop.left + crop.right >= minCrop ? crop : undefined
}

/** The width of a page of this size, once the column is measured. */
export function widthInPixels(size: PageSize, arrangement: Arrangement): number {
  return toPixels(scale(size, arrangement).width, arrangement.viewport.width)
}

const marginRest = 0.02
const minCrop = 0.03
const a4: PageSize = { width: 595, height: 842 }
const none: Length = { column: 0, px: 0 }
const gap: Length = { column: 0, px: pageGap }

function scale(size: PageSize, arrangement: Arrangement): Pick<Box, 'width' | 'height'> {
  const { zoom, viewport, spread = 'single' } = arrangement
  const shown = shownSize(size, arrangement)
  const ratio = shown.height / shown.width
  const fitted = spread === 'single' ? { column: 1, px: 0 } : { column: 0.5, px: -pageGap / 2 }
  if (zoom === 'width' || (zoom === 'page' && viewport.width <= 0)) {
    return { width: fitted, height: { column: ratio * fitted.column, px: ratio * fitted.px } }
  }
  const width =
    zoom === 'page'
      ? Math.min(toPixels(fitted, viewport.width), viewport.height / ratio)
      : (naturalWidth(shown) * Math.max(1, zoom)) / 100
  return { width: { column: 0, px: width }, height: { column: 0, px: width * ratio } }
}

function rowOf(page: number, spread: Spread, count: number): [first: number, last: number] {
  if (spread === 'single' || (spread === 'cover' && page <= 1)) return [page, page]
  const isFirst = (page % 2 === 1) === (spread === 'double')
  const first = isFirst ? page : page - 1
  return [first, Math.min(first + 1, Math.max(first, count))]
}

function plus(a: Length, b: Length): Length {
  return { column: a.column + b.column, px: a.px + b.px }
}

function longer(a: Length, b: Length): Length {
  return b.column > a.column || (b.column === a.column && b.px > a.px) ? b : a
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
