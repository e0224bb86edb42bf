interface Placed {
  id: number
  parent_id: number
}

/** The categories of a document from the root down, in whatever order they came. */
export function categoryLine<T extends Placed>(categories: readonly T[]): T[] {
  const line: T[] = []
  const known = new Set(categories.map(({ id }) => id))
  let next = categories.find(({ parent_id }) => !known.has(parent_id))
  while (next && !line.includes(next)) {
    line.push(next)
    const { id } = next
    next = categories.find(({ parent_id }) => parent_id === id)
  }
  return line
}
