import type { documents, DocumentView } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { readLayout, type SizeRun } from '#server/modules/renditions/layout-file.ts'
import { getCrop } from '#server/modules/renditions/page-margins.ts'
import { hasText } from '#server/modules/renditions/page-text.ts'
import { findRendition, type Rendition } from '#server/modules/renditions/renditions.queries.ts'
import { enqueueTableExtraction, isSpreadsheet } from '#server/modules/renditions/tables/extract-table.ts'
import { readTableIndex } from '#server/modules/renditions/tables/table-files.ts'
import type { TableCache } from './table/table-cache.ts'
import { getReadable } from '../documents.get.ts'
import { countVisiblePages } from '../documents.policy.ts'

/** The sizes of the pages in the preview, and the outline as far as it is shown; nothing while there are no pages. */
export async function getLayout(
  ctx: Ctx,
  name: Input<typeof documents.layout>,
  tables: TableCache,
): Promise<Reply<typeof documents.layout>> {
  const document = await getReadable(ctx, name)
  const rendition = await findRendition(ctx.db, document.hash)
  const pages = rendition?.pages ?? 0
  if (!rendition || pages === 0) return { pages: 0, preview: 0, size: [], outline: [], views: [] }
  const preview = countVisiblePages(ctx, { ...document, pages })
  const { size, outline } = await readLayout(ctx, rendition)
  const views = await findViews(ctx, { tables, rendition, preview })
  const isShown = document.price === 0 || ctx.settings.converter.paid_outline
  const shownOutline = isShown ? outline : outline.filter(({ page }) => page <= preview)
  return { pages, preview, size: truncateRuns(size, preview), outline: shownOutline, crop: getCrop(rendition), views }
}

/** Nothing is offered that does not exist: a scan has no text. */
async function findViews(
  ctx: Ctx,
  { tables, rendition, preview }: { tables: TableCache; rendition: Rendition; preview: number },
): Promise<DocumentView[]> {
  const views: DocumentView[] = hasText(rendition) ? ['text'] : []
  if (rendition.state !== 'done' || !isSpreadsheet(rendition.ext)) return views
  const table = await tables.find(ctx, rendition, preview)
  if (table) return [...views, 'table']
  // A document that an earlier version converted has no table yet.
  if (!(await readTableIndex(ctx, rendition))) await enqueueTableExtraction(ctx, { ...rendition, owner: 0 })
  return views
}

function truncateRuns(runs: readonly SizeRun[], pages: number): SizeRun[] {
  let left = pages
  const truncated: SizeRun[] = []
  for (const run of runs) {
    if (left <= 0) break
    truncated.push({ ...run, count: Math.min(left, run.count) })
    left -= run.count
  }
  return truncated
}
