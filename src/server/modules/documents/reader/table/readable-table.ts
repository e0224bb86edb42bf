import type { ReadableIndex, TableSheet } from '#shared/tables.ts'
import type { Ctx } from '#server/context.ts'
import type { StoredIndex } from '#server/convert/tables/table-file.ts'
import { fold } from '#server/fulltext/text/fold.ts'
import { readLayout } from '#server/modules/renditions/layout-file.ts'
import { readPageTexts } from '#server/modules/renditions/page-text.ts'
import type { Rendition } from '#server/modules/renditions/renditions.queries.ts'
import { readRows, readTableIndex } from '#server/modules/renditions/tables/table-files.ts'

/** A table as far as a viewer may read it. */
export interface ReadableTable {
  index: ReadableIndex
  offsets: StoredIndex['offsets']
}

/** Pages of a sheet whose text is searched for its rows: a preview has no rows of later ones. */
const maxSearchedPages = 200
const comparedLength = 6

/**
 * The rows that stand on the first `visiblePages` pages; undefined where there is no table. A sheet is whole if all of its
 * pages are visible. Of the sheet in which the preview ends, it is the same share of rows as of pages, and only up to the
 * first row with a cell that is not in the text of those pages: rows are not all of one height, and the columns of a wide
 * sheet are on pages behind all of its rows.
 */
export async function findReadableTable(
  ctx: Pick<Ctx, 'storage'>,
  rendition: Rendition,
  visiblePages: number,
): Promise<ReadableTable | undefined> {
  const stored = await readTableIndex(ctx, rendition)
  if (!stored || stored.index.sheets.length === 0) return undefined
  const { index, offsets } = stored
  if (visiblePages >= rendition.pages) return { index: { ...index, isPreview: false }, offsets }
  if (rendition.text_pages < visiblePages) return undefined
  const spans = await findPageSpans(ctx, rendition, index.sheets)
  const sheets: TableSheet[] = []
  for (const sheet of index.sheets) {
    const span = spans.get(sheet.id)
    if (!span || span.from > visiblePages) continue
    const rows =
      span.to <= visiblePages
        ? sheet.rows
        : await countRowsOnPages(
            ctx,
            { ...rendition, offsets, sheet, rowsPerSlice: index.rowsPerSlice },
            { span, visiblePages },
          )
    if (rows > 0) sheets.push(truncateSheet(sheet, rows))
  }
  return sheets.length === 0 ? undefined : { index: { ...index, sheets, isPreview: true }, offsets }
}

interface PageSpan {
  from: number
  to: number
}

/** LibreOffice names the first page of each sheet in the outline. A sheet that is not there has no pages. */
async function findPageSpans(
  ctx: Pick<Ctx, 'storage'>,
  rendition: Rendition,
  sheets: readonly TableSheet[],
): Promise<Map<number, PageSpan>> {
  const entries = (await readLayout(ctx, rendition)).outline.filter(({ level }) => level === 0)
  const spans = new Map<number, PageSpan>()
  let next = 0
  for (const { id, name } of sheets) {
    const at = entries.findIndex(({ title }, index) => index >= next && title === name)
    const entry = entries[at]
    if (!entry) continue
    next = at + 1
    spans.set(id, { from: entry.page, to: (entries[next]?.page ?? rendition.pages + 1) - 1 })
  }
  return spans
}

interface StoredSheet {
  hash: string
  revision: number
  offsets: StoredIndex['offsets']
  sheet: TableSheet
  rowsPerSlice: number
}

async function countRowsOnPages(
  ctx: Pick<Ctx, 'storage'>,
  stored: StoredSheet,
  { span, visiblePages }: { span: PageSpan; visiblePages: number },
): Promise<number> {
  const { hash, revision, sheet, rowsPerSlice } = stored
  const to = Math.min(visiblePages, span.from + maxSearchedPages - 1)
  const takeCell = cellsOf(await readPageTexts(ctx, { hash, revision, from: span.from, to }))
  const share = (visiblePages - span.from + 1) / (span.to - span.from + 1)
  const maxRows = Math.floor(sheet.rows * share)
  let count = 0
  for (let first = 0; first < maxRows; first += rowsPerSlice) {
    const rows = await readRows(ctx, stored, { sheet: sheet.id, slice: first / rowsPerSlice })
    for (const [index, row] of rows.slice(0, maxRows - first).entries()) {
      const cells = row.map(compact).filter((text) => text !== '')
      if (!cells.every(takeCell)) return count
      // An empty row says nothing about where it stands.
      if (cells.length > 0) count = first + index + 1
    }
  }
  return count
}

/**
 * Tells whether a cell is in the text of pages. Each place counts once, so that a value of a visible column does not stand
 * for the same one in a hidden column. Of a long text only the beginning and the end are compared.
 */
function cellsOf(pageTexts: readonly string[]): (text: string) => boolean {
  const pagesText = compact(pageTexts.join('\n'))
  const ends = new Map<string, number>()
  return (text) => {
    const [start, end] = [text.slice(0, comparedLength), text.slice(-comparedLength)]
    const at = pagesText.indexOf(start, ends.get(start) ?? 0)
    ends.set(start, at + start.length)
    return at !== -1 && pagesText.includes(end, at)
  }
}

function compact(text: string): string {
  return fold(text).replaceAll(' ', '')
}

function truncateSheet(sheet: TableSheet, rows: number): TableSheet {
  if (rows >= sheet.rows) return sheet
  return {
    ...sheet,
    rows,
    gaps: sheet.gaps.filter(([before]) => before < rows),
    merges: sheet.merges.flatMap(([row, column, height, width]) =>
      row < rows ? [[row, column, Math.min(height, rows - row), width] as const] : [],
    ),
  }
}
