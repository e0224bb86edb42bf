import type { Row } from '#web/admin/resource.ts'

export interface Branch extends Row {
  children?: Branch[]
}

/** Rows under their parents. One whose parent is not among them (a filter left it out) stands at the top. */
export function nested(rows: readonly Row[]): Branch[] {
  const known = new Set(rows.map(({ id }) => id))
  const byParent = Map.groupBy(rows, ({ parent_id }) => (known.has(Number(parent_id)) ? Number(parent_id) : 0))
  const under = (parent: number): Branch[] | undefined =>
    byParent.get(parent)?.map((row) => ({ ...row, children: under(row.id) }))
  return under(0) ?? []
}

/** The same rows one after the other, each below its parent, with how deep it stands. */
export function indented(rows: readonly Row[]): { row: Row; depth: number }[] {
  const walk = (branches: readonly Branch[], depth: number): { row: Row; depth: number }[] =>
    branches.flatMap(({ children = [], ...row }) => [{ row, depth }, ...walk(children, depth + 1)])
  return walk(nested(rows), 0)
}
