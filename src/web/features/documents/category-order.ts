/** Sorts the categories of a document from the root down. */
export function orderFromRoot<T extends { id: number; parent_id: number }>(categories: readonly T[]): T[] {
  const path: T[] = []
  const ids = new Set(categories.map(({ id }) => id))
  let next = categories.find(({ parent_id }) => !ids.has(parent_id))
  while (next && !path.includes(next)) {
    path.push(next)
    const { id } = next
    next = categories.find(({ parent_id }) => parent_id === id)
  }
  return path
}
