import type { Row } from '#web/admin/resource.ts'

export interface RowNode extends Row {
  children?: RowNode[]
}

/** Rows under their parents. A row whose parent is filtered out becomes a root. */
export function toRowTree(rows: readonly Row[]): RowNode[] {
  const ids = new Set(rows.map(({ id }) => id))
  const byParent = Map.groupBy(rows, ({ parent_id }) => (ids.has(Number(parent_id)) ? Number(parent_id) : 0))
  const childrenOf = (parent: number): RowNode[] | undefined =>
    byParent.get(parent)?.map((row) => ({ ...row, children: childrenOf(row.id) }))
  return childrenOf(0) ?? []
}

/** The rows depth-first, each with its depth. */
export function flattenRowTree(rows: readonly Row[]): { row: Row; depth: number }[] {
  const walk = (nodes: readonly RowNode[], depth: number): { row: Row; depth: number }[] =>
    nodes.flatMap(({ children = [], ...row }) => [{ row, depth }, ...walk(children, depth + 1)])
  return walk(toRowTree(rows), 0)
}
