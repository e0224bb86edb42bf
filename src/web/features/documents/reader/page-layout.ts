/** Where every page of a document stands, before any of them has arrived. Pure, so that nothing ever has to move. */

export interface PageSize {
  width: number
  height: number
}

/** So many pages of one size after the other. */
export interface SizeRun extends PageSize {
  count: number
}

/** Fit the width, fit the whole page, or percent of the natural size. */
export type Zoom = 'width' | 'page' | number

/** A share of the column plus a fixed part: known to CSS before the column has been measured. */
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
  /** The lower edge of a page, with what stands below it. */
  end: (page: number) => Length
}

interface Given {
  sizes: readonly SizeRun[]
  count: number
  zoom: Zoom
  room: { width: number; height: number }
  /** What stands between pages, in pixels, after each of so many. */
  between: { every: number; height: (place: number) => number }
}

export const pageGap = 16

export function layOut({ sizes, count, zoom, room, between }: Given): PageLayout {
  const sizeOf = sizesOf(sizes, count)
  const columns = new Float64Array(count + 1)
  const pixels = new Float64Array(count + 1)
  for (let page = 1; page <= count; page += 1) {
    const { height } = scaled(sizeOf(page), zoom, room)
    const place = page % between.every === 0 && page < count ? page / between.every - 1 : -1
    columns[page] = (columns[page - 1] ?? 0) + height.column
    pixels[page] = (pixels[page - 1] ?? 0) + height.px + pageGap + (place < 0 ? 0 : between.height(place))
  }
  const end = (page: number): Length => ({ column: columns[page] ?? 0, px: pixels[page] ?? 0 })
  return { end, box: (page) => ({ ...scaled(sizeOf(page), zoom, room), top: end(page - 1) }) }
}

/** The page that a height in the list belongs to. */
export function pageAt(
  { end }: PageLayout,
  { y, column, count }: { y: number; column: number; count: number },
): number {
  let low = 1
  let high = Math.max(1, count)
  while (low < high) {
    const middle = (low + high) >> 1
    if (inPixels(end(middle), column) > y) high = middle
    else low = middle + 1
  }
  return low
}

export function inPixels({ column, px }: Length, width: number): number {
  return column * width + px
}

/** For CSS inside the column, which is a size container. */
export function css({ column, px }: Length): string {
  return column === 0 ? `${round(px)}px` : `calc(${round(column * 100)}cqi + ${round(px)}px)`
}

export function sizesOf(runs: readonly SizeRun[], count: number): (page: number) => PageSize {
  const known = runs.filter(({ width, height }) => width > 0 && height > 0)
  const list: PageSize[] = []
  for (const run of known) {
    for (let left = Math.min(run.count, count - list.length); left > 0; left -= 1) list.push(run)
  }
  return (page) => list[page - 1] ?? known[0] ?? a4
}

/** The size at 100 %: points are 1/72 inch, CSS pixels 1/96. */
export function naturalWidth({ width }: PageSize): number {
  return (width * 4) / 3
}

const a4: PageSize = { width: 595, height: 842 }

function scaled(size: PageSize, zoom: Zoom, room: Given['room']): Pick<Box, 'width' | 'height'> {
  const ratio = size.height / size.width
  if (zoom === 'width' || (zoom === 'page' && room.width <= 0)) {
    return { width: { column: 1, px: 0 }, height: { column: ratio, px: 0 } }
  }
  const width =
    zoom === 'page' ? Math.min(room.width, room.height / ratio) : (naturalWidth(size) * Math.max(1, zoom)) / 100
  return { width: { column: 0, px: width }, height: { column: 0, px: width * ratio } }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
