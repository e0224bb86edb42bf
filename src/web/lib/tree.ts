export type Tree<T> = T & { children: Tree<T>[] }

/** Builds a tree from rows with a parent id. Orphans and cycles are left out. */
export function toTree<T extends { id: number; parent_id: number }>(rows: readonly T[]): Tree<T>[] {
  const byParent = Map.groupBy(rows, (row) => row.parent_id)
  const under = (parent: number): Tree<T>[] =>
    (byParent.get(parent) ?? []).map((row) => ({ ...row, children: under(row.id) }))
  return under(0)
}

/** From the root to the node with this id; empty when it is missing. */
export function pathTo<T extends { id: number }>(trees: readonly Tree<T>[], id: number): Tree<T>[] {
  for (const tree of trees) {
    if (tree.id === id) return [tree]
    const below = pathTo(tree.children, id)
    if (below.length > 0) return [tree, ...below]
  }
  return []
}
