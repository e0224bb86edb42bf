export interface LinkedCategory {
  id: number
  title: string
  parent_id: number
}

/** The categories of a document or article, each after its parent. */
export function sortRootFirst(categories: readonly LinkedCategory[]): LinkedCategory[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const depthOf = (category: LinkedCategory): number => {
    let depth = 0
    for (let parent = byId.get(category.parent_id); parent && depth < categories.length; depth++)
      parent = byId.get(parent.parent_id)
    return depth
  }
  return categories
    .map(({ id, title, parent_id }) => ({ id, title, parent_id }))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
}
