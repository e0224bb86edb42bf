interface Placed {
  id: number
  parent_id: number
  is_deleted: number
}

/**
 * What becomes of whole threads when some of their comments are deleted: one that was answered stays as an empty place, so
 * that the others can be understood; the rest goes, and with the last answer to it an empty place goes too.
 */
export function removal(rows: readonly Placed[], ids: ReadonlySet<number>): { gone: number[]; emptied: number[] } {
  const answers = new Map<number, number>()
  const count = (id: number, change: 1 | -1) => answers.set(id, (answers.get(id) ?? 0) + change)
  for (const { parent_id } of rows) count(parent_id, 1)
  const gone: number[] = []
  const emptied: number[] = []
  // An answer is always younger than what it answers.
  for (const row of rows.toSorted((a, b) => b.id - a.id)) {
    if (row.is_deleted === 0 && !ids.has(row.id)) continue
    if ((answers.get(row.id) ?? 0) > 0) {
      if (row.is_deleted === 0) emptied.push(row.id)
      continue
    }
    gone.push(row.id)
    count(row.parent_id, -1)
  }
  return { gone, emptied }
}

/** Empty places are worth showing only to who sees an answer below them. */
export function withoutIdlePlaces<R extends Placed>(rows: readonly R[]): R[] {
  const idle = new Set(removal(rows, new Set()).gone)
  return rows.filter(({ id }) => !idle.has(id))
}
