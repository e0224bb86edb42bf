/** The list with one entry at another place. */
export function moveRow<T>(rows: readonly T[], from: number, to: number): T[] {
  const target = Math.max(0, Math.min(to, rows.length - 1))
  const moved = rows[from]
  if (moved === undefined || target === from) return [...rows]
  return rows.toSpliced(from, 1).toSpliced(target, 0, moved)
}

/** The place that a pointer at this height means, among rows with their middles at these heights. */
export function placeAt(middles: readonly number[], y: number): number {
  return middles.filter((middle) => middle < y).length
}

/** The rows in this order of their keys; what has changed in them since stays. */
export function inOrder<T extends { key: number }>(rows: readonly T[], keys: readonly number[]): T[] {
  return rows.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key))
}
