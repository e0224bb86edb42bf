import { pagesPerReflow, type Block, type ReflowedPage } from '#shared/reflow.ts'
import type { Ctx } from '#server/context.ts'
import type { PageLines } from '#server/convert/converter.ts'
import { readLayout } from '../layout-file.ts'
import type { Rendition } from '../renditions.queries.ts'
import type { StoredPage, StoredPicture } from './block-schema.ts'
import { readBlockSlice } from './store-blocks.ts'
import { reflowPages } from './reflow-pages.ts'

interface PageGroup {
  from: number
  to: number
  /** The lines of the slice that a page is in; undefined while they are not extracted. */
  readSlice: (page: number) => Promise<PageLines[] | undefined>
  /** The lines of these pages. */
  extractNow: () => Promise<PageLines[]>
}

/** The blocks of the pages of one group. */
export async function readReflowedPages(
  ctx: Pick<Ctx, 'storage'>,
  rendition: Rendition,
  { from, to, readSlice, extractNow }: PageGroup,
): Promise<ReflowedPage[]> {
  const own = await readBlockSlice(ctx, rendition, from)
  if (own) return own.filter(({ page }) => page >= from && page <= to).map(withoutFiles)
  const slice = (await readSlice(from)) ?? (await extractNow())
  // The page before tells whether a paragraph goes on, and others of the document what its heads and feet are.
  const around = (from === 1 ? undefined : await readSlice(from - 1)) ?? []
  const lines = slice[0]?.page === around[0]?.page ? slice : [...around.slice(-pagesPerReflow), ...slice]
  const { outline } = await readLayout(ctx, rendition)
  const pages = reflowPages(lines, { outline, isSetHere: rendition.source_type !== 'pdf' })
  return pages.filter(({ page }) => page >= from && page <= to)
}

/** Where a picture lies in its file is of no use to readers. */
function withoutFiles({ page, blocks }: StoredPage): ReflowedPage {
  return { page, blocks: blocks.map((block) => (block.kind === 'picture' ? withoutFile(block) : block)) }
}

function withoutFile({ kind, width, height, alt }: StoredPicture): Block {
  return { kind, width, height, alt }
}
