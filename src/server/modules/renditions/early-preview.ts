import { setTimeout as sleep } from 'node:timers/promises'
import { RenderPriority } from '#server/convert/converter.ts'
import type { Ctx } from '#server/context.ts'
import type { DocumentInfo, RenderSource } from '#server/convert/converter.ts'
import { pageShape, writeLayout } from './layout-file.ts'
import type { PageImages } from './page-images.ts'
import { type LeaseHolder, publishIfOwner } from './renditions.queries.ts'
import { layoutKey, sourceKey } from './storage-keys.ts'

/**
 * The first pages of a content whose conversion takes long, for readers who have it open. They are published under a
 * revision of their own (`is_partial`); no document counts them as its pages.
 */

/** The conversion whose first pages are shown; `publishedRevision` moves on with each publication. */
export interface PreviewedConversion extends LeaseHolder {
  headStartMs: number
  signal: AbortSignal
}

/** From the first page on the server to the same page on the screen, on a slow machine. */
export const usualHeadStartMs = 800

interface FirstPages {
  revision: number
  source: RenderSource
  isDerived: boolean
  opened: Pick<DocumentInfo, 'pages' | 'sizes'>
  /** Page 1. */
  svg: Uint8Array
}

/** The first pages come as a file of their own, which stays until the whole is converted. */
export async function publishFirstFile(
  ctx: Ctx,
  pageImages: PageImages,
  { conversion, revision, file }: { conversion: PreviewedConversion; revision: number; file: RenderSource },
): Promise<void> {
  const { hash, signal } = conversion
  try {
    const key = sourceKey(hash, revision, file.type)
    await ctx.storage.moveIn(key, file.path)
    const path = await ctx.storage.local(key)
    if (!path) return
    const source = { ...file, path }
    const opened = await ctx.converter.open(source, { priority: RenderPriority.Reader, signal })
    const { svg } = await ctx.converter.renderPage(source, 1, { priority: RenderPriority.Reader, signal })
    await writeLayout(ctx, layoutKey(hash, revision), opened)
    await publishFirstPages(ctx, pageImages, { conversion, first: { revision, source, isDerived: true, opened, svg } })
  } catch (error) {
    // Whatever is wrong with the content, its conversion reports.
    if (!signal.aborted) ctx.log.info({ hash, error }, 'no early preview')
  }
}

export async function publishFirstPages(
  ctx: Ctx,
  pageImages: PageImages,
  { conversion, first }: { conversion: PreviewedConversion; first: FirstPages },
): Promise<void> {
  const { hash } = conversion
  const { revision, source, isDerived, opened, svg } = first
  await pageImages.put(ctx, { hash, revision, page: 1, svg })
  const isOwner = await publishIfOwner(ctx.db, conversion, {
    ...pageShape(opened),
    is_partial: 1,
    revision,
    source_type: source.type,
    is_derived: isDerived ? 1 : 0,
    has_cover: 0,
    cover_tint: '',
    text_pages: 0,
  })
  if (!isOwner) return
  conversion.publishedRevision = revision
  ctx.emit('rendition.changed', { hash })
}

/** On an idle machine a first page has the processor to itself until its reader sees it. */
export async function giveHeadStart(ctx: Ctx, { headStartMs, signal }: PreviewedConversion): Promise<void> {
  if (headStartMs > 0 && !(await isConversionWaiting(ctx))) await sleep(headStartMs, undefined, { signal })
}

async function isConversionWaiting({ db, now }: Ctx): Promise<boolean> {
  const waiting = await db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'waiting')
    .where('kind', 'in', ['renditions.convert', 'renditions.convert-office'])
    .where('run_at', '<=', now())
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}
