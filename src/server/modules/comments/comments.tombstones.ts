interface ThreadRow {
  id: number
  parent_id: number
  is_deleted: number
}

/**
 * Which rows of whole threads to remove when some comments are deleted: a comment with replies stays as a tombstone, which
 * goes with the last reply.
 */
export function planDeletion(
  rows: readonly ThreadRow[],
  ids: ReadonlySet<number>,
): { removedIds: number[]; tombstoneIds: number[] } {
  const replyCounts = new Map<number, number>()
  const count = (id: number, change: 1 | -1) => replyCounts.set(id, (replyCounts.get(id) ?? 0) + change)
  for (const { parent_id } of rows) count(parent_id, 1)
  const removedIds: number[] = []
  const tombstoneIds: number[] = []
  // A reply has a higher id than its parent, so replies are decided first.
  for (const row of rows.toSorted((a, b) => b.id - a.id)) {
    if (row.is_deleted === 0 && !ids.has(row.id)) continue
    if ((replyCounts.get(row.id) ?? 0) > 0) {
      if (row.is_deleted === 0) tombstoneIds.push(row.id)
      continue
    }
    removedIds.push(row.id)
    count(row.parent_id, -1)
  }
  return { removedIds, tombstoneIds }
}

/** A tombstone is shown only above a reply that is in the list. */
export function dropUnneededTombstones<R extends ThreadRow>(rows: readonly R[]): R[] {
  const unneeded = new Set(planDeletion(rows, new Set()).removedIds)
  return rows.filter(({ id }) => !unneeded.has(id))
}
