import { JobPriority } from '#server/jobs/queue.ts'
import { RenderPriority } from '#server/convert/converter.ts'
import { previewPages } from '#shared/preview.ts'
import type { Ctx } from '#server/context.ts'
import { type PageLines, type RenderSource, Unconvertible } from '#server/convert/converter.ts'
import { enqueue, type JobPayload, runNow } from '#server/jobs.ts'
import { addCover } from './cover.ts'
import type { PageImages } from './page-images.ts'
import { addMargins, mayHaveMargins } from './page-margins.ts'
import { pageToText, sliceEnd, writeSlice } from './page-text.ts'
import { findRendition, findRenderSource, type Rendition } from './renditions.queries.ts'
import { renditionPrefix, textSliceKey } from './storage-keys.ts'

/** A batch of pages, small enough that other documents get their turn soon; `failures` counts slices without text. */
type PageBatch = JobPayload<'renditions.extract-text'>

interface Revision {
  hash: string
  revision: number
}

const batchSize = 100
const maxFailures = 3
const excerptLength = 8192
/** If the conversion that renders the first pages is killed, extraction starts without it. */
const startDelayMs = 15_000
const maxPrerendered = 500
const prerenderConcurrency = 4

export async function enqueueTextExtraction(
  ctx: Ctx,
  { hash, revision, owner }: Revision & { owner: number },
): Promise<void> {
  const runAt = ctx.now() + startDelayMs
  await enqueue(ctx, 'renditions.extract-text', { hash, revision, from: 1 }, { runAt, owner })
}

/** The first pages are rendered: extraction need not wait any longer. */
export async function startExtractionNow(ctx: Ctx, { hash, revision }: Revision): Promise<void> {
  await runNow(ctx, 'renditions.extract-text', { hash, revision, from: 1 })
}

/** Extracts the text of a batch and enqueues the next one; after the last, pages are prerendered. */
export async function extractTextBatch(
  ctx: Ctx,
  { batch, owner, signal }: { batch: PageBatch; owner: number; signal: AbortSignal },
): Promise<void> {
  const current = await findCurrent(ctx, batch)
  if (!current) return
  const { rendition, source } = current
  const last = Math.min(rendition.pages, batch.from + batchSize - 1)
  let next = batch
  try {
    if (batch.from === 1 && !rendition.has_cover) await addCover(ctx, { rendition, source, signal })
    const withMargins = batch.from === 1 || mayHaveMargins(rendition.margins)
    const { pages } = rendition
    while (next.from <= last) next = await extractSlice(ctx, { batch: next, pages, source, withMargins, signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (next.from <= rendition.pages) return enqueue(ctx, 'renditions.extract-text', next, { owner })
  await removeOlderRevisions(ctx, rendition)
  await enqueue(ctx, 'renditions.prerender', { ...next, from: 1 }, { priority: JobPriority.Idle, owner })
}

/** Renders pages ahead of their readers, while nothing else is to be done and the cache has room. */
export async function prerenderBatch(
  ctx: Ctx,
  pageImages: PageImages,
  { batch, owner, signal }: { batch: PageBatch; owner: number; signal: AbortSignal },
): Promise<void> {
  const { from } = batch
  const current = await findCurrent(ctx, batch)
  if (!current || !(await pageImages.hasRoom(ctx))) return
  const { rendition, source } = current
  // As of a document with a price: of a free one, the pages after these are rendered when they are read.
  const preview = previewPages({ pages: rendition.pages, price: 1 }, ctx.settings)
  const lastPage = Math.min(maxPrerendered, preview)
  const last = Math.min(lastPage, from + batchSize - 1)
  for (let page = from; page <= last && !signal.aborted; page += prerenderConcurrency) {
    const pages = Array.from({ length: Math.min(prerenderConcurrency, last - page + 1) }, (_, index) => page + index)
    const options = { priority: RenderPriority.Background, signal } as const
    await Promise.allSettled(pages.map((page) => pageImages.prerender(ctx, { rendition, page, source, options })))
  }
  if (last >= lastPage || signal.aborted) return
  await enqueue(ctx, 'renditions.prerender', { ...batch, from: last + 1 }, { priority: JobPriority.Idle, owner })
}

/** Undefined when the content was converted again meanwhile, or removed. */
async function findCurrent(ctx: Ctx, { hash, revision }: Revision) {
  const rendition = await findRendition(ctx.db, hash)
  if (!rendition || rendition.revision !== revision) return undefined
  const source = await findRenderSource(ctx, rendition)
  return source && { rendition, source }
}

interface SliceExtraction {
  batch: PageBatch
  pages: number
  source: RenderSource
  withMargins: boolean
  signal: AbortSignal
}

/** Gives the batch that remains. A document without readable text does not keep the queue busy to its last page. */
async function extractSlice(ctx: Ctx, { batch, pages, ...reading }: SliceExtraction): Promise<PageBatch> {
  const { hash, revision, from, failures } = batch
  if (failures >= maxFailures) {
    await record(ctx, { hash, revision, from, to: pages, lines: [] })
    return { ...batch, from: pages + 1 }
  }
  const to = Math.min(pages, sliceEnd(from))
  const lines = await readLines(ctx, { ...reading, from, to })
  await writeSlice(ctx, textSliceKey(hash, revision, from), lines ?? [])
  await record(ctx, { hash, revision, from, to, lines: lines ?? [] })
  return { ...batch, from: to + 1, failures: failures + (lines ? 0 : 1) }
}

interface LinesRequest {
  source: RenderSource
  from: number
  to: number
  withMargins: boolean
  signal: AbortSignal
}

/** Undefined when these pages have no readable text: the rest of the document may. */
async function readLines(ctx: Ctx, request: LinesRequest): Promise<PageLines[] | undefined> {
  const { source, from, to, ...options } = request
  try {
    return await ctx.converter.extractLines(source, from, to, { priority: RenderPriority.Background, ...options })
  } catch (error) {
    if (!(error instanceof Unconvertible)) throw error
    ctx.log.warn({ from, to, error }, 'no text extracted')
    return undefined
  }
}

interface ExtractedText extends Revision {
  from: number
  to: number
  lines: PageLines[]
}

/** Only the next pages count: a slice that is extracted twice is recorded once. */
async function record(ctx: Ctx, { hash, revision, from, to, lines }: ExtractedText): Promise<void> {
  const rendition = await findRendition(ctx.db, hash)
  const soFar = from === 1 ? '' : (rendition?.excerpt ?? '')
  const excerpt = soFar.length < excerptLength ? makeExcerpt([soFar, ...lines.map(pageToText)]) : soFar
  const measured = lines.length > 0 ? lines.map((page) => page.margins) : [undefined]
  const margins = addMargins(from === 1 ? undefined : (rendition?.margins ?? ''), measured)
  const { numUpdatedRows } = await ctx.db
    .updateTable('rendition')
    .set({ text_pages: to, excerpt, margins, updated_at: ctx.now() })
    .where('hash', '=', hash)
    .where('revision', '=', revision)
    .where('text_pages', '=', from - 1)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) ctx.emit('rendition.changed', { hash })
}

function makeExcerpt(parts: readonly string[]): string {
  const text = parts.filter(Boolean).join('\n').replaceAll('\0', '')
  // Never half a surrogate pair at the end: databases refuse it.
  return text
    .slice(0, excerptLength)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
}

/** Files of earlier conversions, and of those that were killed. */
async function removeOlderRevisions({ storage }: Ctx, { hash, revision }: Rendition): Promise<void> {
  const prefix = renditionPrefix(hash)
  const older: string[] = []
  for await (const { key } of storage.list(prefix))
    if (Number(key.slice(prefix.length).split('/')[0]) < revision) older.push(key)
  await storage.remove(older)
}
