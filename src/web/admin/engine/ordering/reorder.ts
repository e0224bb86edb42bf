import type { Row } from '#web/admin/resource.ts'

/** The rows that a row is ordered among, itself included. */
export function findSiblings(rows: readonly Row[], row: Row, within: readonly string[]): Row[] {
  return rows.filter((candidate) => within.every((key) => candidate[key] === row[key]))
}

export function moveRow(rows: readonly Row[], id: number, index: number): Row[] {
  const row = rows.find((candidate) => candidate.id === id)
  return row ? rows.filter((candidate) => candidate !== row).toSpliced(index, 0, row) : [...rows]
}

/** The ids in their new order, from the first position that changes to the last. */
export function changedRange(before: readonly Row[], after: readonly Row[]): number[] {
  const isChanged = (row: Row, index: number) => row.id !== before[index]?.id
  const first = after.findIndex(isChanged)
  return first < 0 ? [] : after.slice(first, after.findLastIndex(isChanged) + 1).map(({ id }) => id)
}

/** The index at which a row is dropped at `y`, by the middles of the other rows. */
export function dropIndex(middles: readonly number[], y: number): number {
  return middles.filter((middle) => middle < y).length
}
