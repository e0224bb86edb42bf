import type { Row } from '#web/admin/resource.ts'

interface AllRowsOptions {
  /** No more than so many. */
  limit: number
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
}

/** As many as a list may give at once; a list with a lower limit gives smaller pages. */
export const loadedPageSize = 500

/** The rows of all pages, in their order. A row that moves to the next page while they are read is taken once. */
export async function loadAllRows(
  loadPage: (page: number) => Promise<{ rows: Row[]; total: number }>,
  { limit, signal, onProgress }: AllRowsOptions,
): Promise<Row[]> {
  const rows = new Map<number, Row>()
  for (let page = 1; ; page += 1) {
    const { rows: found, total } = await loadPage(page)
    signal.throwIfAborted()
    for (const row of found) rows.set(row.id, row)
    const wanted = Math.min(total, limit)
    onProgress(Math.min(rows.size, wanted), wanted)
    if (found.length === 0 || rows.size >= wanted) return [...rows.values()].slice(0, limit)
  }
}
