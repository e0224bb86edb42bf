export interface CategoryOf {
  id: number
  title: string
  parent_id: number
}

/** The categories of one thing, each after the one above it. */
export function rootFirst(categories: readonly CategoryOf[]): CategoryOf[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const depthOf = (category: CategoryOf): number => {
    let depth = 0
    for (let above = byId.get(category.parent_id); above && depth < categories.length; depth++)
      above = byId.get(above.parent_id)
    return depth
  }
  return categories
    .map(({ id, title, parent_id }) => ({ id, title, parent_id }))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
}
