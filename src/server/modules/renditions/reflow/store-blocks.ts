import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ReflowedPage } from '#shared/reflow.ts'
import type { Ctx } from '#server/context.ts'
import { type RenderSource, Unconvertible } from '#server/convert/converter.ts'
import { enqueue } from '#server/jobs.ts'
import { isBlocked } from '../failures.ts'
import { readPageTexts } from '../page-text.ts'
import type { Rendition } from '../renditions.queries.ts'
import { blockSliceKey, pagesPerSlice } from '../storage-keys.ts'
import { parseBlocks, type StoredPage } from './block-schema.ts'
import { placeBlocks } from './place-blocks.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)
const timeoutMs = 120_000
/** Of a book with more pages the text layer is shown: all its text would be in memory at once. */
const maxPages = 10_000

interface ExtractedRendition {
  rendition: Rendition
  source: RenderSource
  signal: AbortSignal
}

/** Stores the text of a book with its own structure beside its pages. Without it readers get that of the text layer. */
export async function storeBlocks(ctx: Ctx, { rendition, source, signal }: ExtractedRendition): Promise<void> {
  const { hash, revision, pages } = rendition
  if (await hasFinalBlocks(ctx, rendition)) return
  const put = async (page: number, slice: readonly ReflowedPage[]) =>
    ctx.storage.put(blockSliceKey(hash, revision, page), await compress(JSON.stringify(slice)))
  try {
    const placed = pages > maxPages ? undefined : await extractPlaced(ctx, { rendition, source, signal })
    // An empty slice says that there is nothing to wait for.
    if (!placed) return await put(pages, [])
    for (let first = 1; first <= pages; first += pagesPerSlice)
      await put(first, placed.slice(first - 1, first - 1 + pagesPerSlice))
  } catch (error) {
    // The job runs again.
    if (signal.aborted) throw error
    ctx.log.warn({ hash, error }, 'no structure of a book')
    if (!(error instanceof Unconvertible && isBlocked(error.reason))) await put(pages, [])
  }
}

async function extractPlaced(ctx: Ctx, { rendition, source, signal }: ExtractedRendition) {
  const { hash, revision, pages } = rendition
  const blocks = parseBlocks(await ctx.converter.extractBlocks(source, { timeoutMs, signal }))
  return placeBlocks(blocks, await readPageTexts(ctx, { hash, revision, from: 1, to: pages }))
}

/** Has the structure extracted of a book that an earlier version converted: its text is extracted up to the last page. */
export async function enqueueBlocks(ctx: Ctx, { hash, revision, pages }: Rendition): Promise<void> {
  await enqueue(ctx, 'renditions.extract-text', { hash, revision, from: pages + 1 }, { owner: 0 })
}

/** False while the text of a book may still get the structure of its file. */
export async function hasFinalBlocks(
  { storage }: Pick<Ctx, 'storage'>,
  { hash, revision, source_type, pages }: Rendition,
): Promise<boolean> {
  // The last slice is stored last.
  return source_type === 'pdf' || (await storage.find(blockSliceKey(hash, revision, pages))) !== undefined
}

/** Undefined where there is none. */
export async function readBlockSlice(
  { storage }: Pick<Ctx, 'storage'>,
  { hash, revision, source_type }: Rendition,
  page: number,
): Promise<StoredPage[] | undefined> {
  if (source_type === 'pdf') return undefined
  const stored = await storage.read(blockSliceKey(hash, revision, page))
  if (!stored) return undefined
  const slice = JSON.parse((await decompress(await buffer(stored))).toString('utf8')) as StoredPage[]
  return slice.length > 0 ? slice : undefined
}
