/** The plot: x goes from the first value at the left edge to the last at the right, y down from the top. */
export interface Box {
  width: number
  height: number
  /** The value at the top edge; the bottom is 0. */
  top: number
}

/** A round and even number that no value exceeds, for a readable scale. */
export function niceTop(values: readonly number[]): number {
  const greatest = Math.max(1, ...values)
  const unit = 10 ** Math.floor(Math.log10(greatest))
  const step = [1, 2, 4, 6, 8, 10].find((step) => step * unit >= greatest) ?? 10
  return Math.max(2, step * unit)
}

export function pointAt(values: readonly number[], index: number, { width, height, top }: Box): [x: number, y: number] {
  const x = values.length < 2 ? width : (index / (values.length - 1)) * width
  return [round(x), round(height - (Math.min(top, values[index] ?? 0) / top) * height)]
}

export function linePath(values: readonly number[], box: Box): string {
  return values.map((_, index) => `${index === 0 ? 'M' : 'L'}${pointAt(values, index, box).join(' ')}`).join('')
}

/** The line closed along the bottom. */
export function areaPath(values: readonly number[], box: Box): string {
  if (values.length === 0) return ''
  const [left] = pointAt(values, 0, box)
  const [right] = pointAt(values, values.length - 1, box)
  return `${linePath(values, box)}L${right} ${box.height}L${left} ${box.height}Z`
}

/** The index of the value nearest to a position, given as a share of the width. */
export function indexAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
