import type { Row } from '#web/admin/resource.ts'

/** The selected rows of all pages, by id. */
export type SelectedRows = ReadonlyMap<number, Row>

export const noneSelected: SelectedRows = new Map()

/** What is selected on this page replaces what was; other pages keep theirs. */
export function selectOnPage(selected: SelectedRows, page: readonly Row[], ids: readonly number[]): SelectedRows {
  const chosen = new Set(ids)
  const next = new Map(selected)
  for (const row of page) {
    if (chosen.has(row.id)) next.set(row.id, row)
    else next.delete(row.id)
  }
  return next
}

export function toSelection(rows: readonly Row[]): SelectedRows {
  return new Map(rows.map((row) => [row.id, row]))
}

/** The rows as they are now, where this page shows them. */
export function withCurrent(selected: SelectedRows, page: readonly Row[]): Row[] {
  const current = toSelection(page)
  return [...selected.values()].map((row) => current.get(row.id) ?? row)
}
