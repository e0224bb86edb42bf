import type { Row } from '#web/admin/resource.ts'

/** The rows that one row can be ordered among, in their order. */
export function siblingsOf(rows: readonly Row[], row: Row, within: readonly string[]): Row[] {
  return rows.filter((other) => within.every((key) => other[key] === row[key]))
}

/** The rows with one of them at another place. */
export function movedTo(rows: readonly Row[], id: number, place: number): Row[] {
  const row = rows.find((other) => other.id === id)
  return row ? rows.filter((other) => other !== row).toSpliced(place, 0, row) : [...rows]
}

/** From the first place that changes to the last, who is to stand there. */
export function changedSpan(before: readonly Row[], after: readonly Row[]): number[] {
  const isOther = (row: Row, at: number) => row.id !== before[at]?.id
  const first = after.findIndex(isOther)
  return first < 0 ? [] : after.slice(first, after.findLastIndex(isOther) + 1).map(({ id }) => id)
}

/** At which place something is let go, by where the middles of the others are. */
export function placeAt(middles: readonly number[], y: number): number {
  return middles.filter((middle) => middle < y).length
}
