import type { ReadableIndex, TableRow, TableSheet } from '#shared/tables.ts'
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

/** Pages of a sheet whose text is searched for the last row of the preview. */
const maxSearchedPages = 200
/** Rows that are compared one by one before larger steps are taken. */
const maxSingleSteps = 100
const prefixLength = 6

/**
 * The rows that stand on the first `visiblePages` pages; undefined where there is no table. A sheet is whole if all of its
 * pages are visible. Of the sheet in which the preview ends, it is the same share of rows as of pages, cut back to the last
 * row whose cells are found in the text of those pages: rows are not all of one height.
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
  const from = Math.max(span.from, visiblePages - maxSearchedPages + 1)
  const texts = await readPageTexts(ctx, { hash, revision, from, to: visiblePages })
  const text = compact(texts.join('\n'))
  const slices = new Map<number, TableRow[]>()
  const readRow = async (row: number) => {
    const slice = Math.floor(row / rowsPerSlice)
    const rows = slices.get(slice) ?? (await readRows(ctx, stored, { sheet: sheet.id, slice }))
    slices.set(slice, rows)
    return rows[row % rowsPerSlice] ?? []
  }
  const share = (visiblePages - span.from + 1) / (span.to - span.from + 1)
  let count = Math.floor(sheet.rows * share)
  for (let steps = 0; count > 0; steps += 1) {
    if (isOnPages(await readRow(count - 1), text)) return count
    count = steps < maxSingleSteps ? count - 1 : Math.floor(count * 0.9)
  }
  return 0
}

/** An empty row says nothing about where it stands. Of a long text only the beginning is compared: pages wrap it. */
function isOnPages(row: TableRow, pagesText: string): boolean {
  const cells = row.map(compact).filter((text) => text !== '')
  return cells.length > 0 && cells.every((text) => pagesText.includes(text.slice(0, prefixLength)))
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
