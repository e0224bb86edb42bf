import pLimit from 'p-limit'
import type { documents } from '#shared/contract/documents.ts'
import { maxFoundCells } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { cleanQuery } from '#server/fulltext/clean-query.ts'
import { fold } from '#server/fulltext/text/fold.ts'
import { findRendition, type Rendition } from '#server/modules/renditions/renditions.queries.ts'
import { readRows } from '#server/modules/renditions/tables/table-files.ts'
import { getReadable } from '../../documents.get.ts'
import { countVisiblePages } from '../../documents.policy.ts'
import type { TableCache } from './table-cache.ts'

/** A large table takes a while: searches run one after the other, so that other requests are answered between slices. */
const queue = pLimit(1)
const maxWaiting = 8
/** A search that takes longer gives what it has found. */
const maxSearchMs = 1000

/** Cells that contain the words, in all sheets, among the rows that the viewer may read. */
export async function findCells(
  ctx: Ctx,
  { wd, ...ref }: Input<typeof documents.findCells>,
  tables: TableCache,
): Promise<Reply<typeof documents.findCells>> {
  const document = await getReadable(ctx, ref)
  const words = fold(cleanQuery(wd)).trim()
  const rendition = await findRendition(ctx.db, document.hash)
  if (words === '' || rendition?.state !== 'done') return { cell: [], has_more: false }
  const visiblePages = countVisiblePages(ctx, { ...document, pages: rendition.pages })
  if (queue.pendingCount >= maxWaiting) throw errors.request.tooMany(1)
  return queue(() => searchTable(ctx, { tables, rendition, visiblePages, words }))
}

interface TableSearch {
  tables: TableCache
  rendition: Rendition
  visiblePages: number
  words: string
}

async function searchTable(
  ctx: Ctx,
  { tables, rendition, visiblePages, words }: TableSearch,
): Promise<Reply<typeof documents.findCells>> {
  const startedAt = performance.now()
  const table = await tables.find(ctx, rendition, visiblePages)
  if (!table) return { cell: [], has_more: false }
  const { hash, revision } = rendition
  const { rowsPerSlice, sheets } = table.index
  const cell: number[][] = []
  for (const { id, rows } of sheets) {
    for (let first = 0; first < rows; first += rowsPerSlice) {
      const address = { sheet: id, slice: first / rowsPerSlice }
      const slice = await readRows(ctx, { hash, revision, offsets: table.offsets }, address)
      for (const [index, row] of slice.slice(0, rows - first).entries())
        for (const column of matchingColumns(row, words)) cell.push([id, first + index, column])
      if (cell.length > maxFoundCells) return { cell: cell.slice(0, maxFoundCells), has_more: true }
      const isLast = id === sheets.at(-1)?.id && first + rowsPerSlice >= rows
      if (!isLast && performance.now() - startedAt > maxSearchMs) return { cell, has_more: true }
    }
  }
  return { cell, has_more: false }
}

function matchingColumns(row: readonly string[], words: string): number[] {
  // Most rows have no hit, and folding a row costs less than folding each of its cells.
  if (!fold(row.join('\n')).includes(words)) return []
  return row.flatMap((text, column) => (fold(text).includes(words) ? [column] : []))
}
