/** Puts rows into the order of `ids`, at the positions they have together; other rows stay where they are. */
export function applyOrder<T extends { id: number }>(rows: readonly T[], ids: readonly number[]): T[] {
  const moved = ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const remaining = moved.values()
  return rows.map((row) => (moved.includes(row) ? (remaining.next().value ?? row) : row))
}
