interface GridOptions {
  /** Of the list. */
  width: number
  /** The visible part of it. */
  top: number
  height: number
  count: number
  /** Width by height of a page. */
  ratio: number
}

const minWidth = 88
const gap = 8
/** The page number below the picture, and the space to the next row. */
const labelHeight = 34
/** Rows rendered beyond the visible ones. */
const overscan = 2

/** Where each thumbnail is, and which are visible: all rows are of the same height. */
export function thumbnailGrid({ width, top, height, count, ratio }: GridOptions) {
  const columns = Math.max(2, Math.floor((width + gap) / (minWidth + gap)))
  const itemWidth = Math.max(0, (width - gap * (columns - 1)) / columns)
  // Very long pages are shown whole, but small.
  const pictureHeight = itemWidth / Math.max(0.5, Math.min(3, ratio))
  const rowHeight = pictureHeight + labelHeight
  const rows = Math.ceil(count / columns)
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan)
  const last = Math.min(rows - 1, Math.floor((top + height) / rowHeight) + overscan)
  const from = first * columns + 1
  const to = width > 0 ? Math.min(count, (last + 1) * columns) : 0
  return {
    itemWidth,
    pictureHeight,
    rowHeight,
    height: rows * rowHeight,
    visible: Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index),
    place: (page: number) => ({
      top: Math.floor((page - 1) / columns) * rowHeight,
      left: ((page - 1) % columns) * (itemWidth + gap),
    }),
  }
}
