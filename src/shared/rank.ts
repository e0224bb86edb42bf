/** The named rows take, in the order in which they are named, the places that they hold together; the others stay. */
export function ranked<T extends { id: number }>(rows: readonly T[], ids: readonly number[]): T[] {
  const named = ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const waiting = named.values()
  return rows.map((row) => (named.includes(row) ? (waiting.next().value ?? row) : row))
}
