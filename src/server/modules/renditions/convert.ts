import { JobPriority, RetryLast } from '#server/jobs/queue.ts'
import { RenderPriority } from '#server/convert/converter.ts'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failureReasons } from '#shared/conversion.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { type DocumentInfo, type RenderSource, Unconvertible } from '#server/convert/converter.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { addCover, renderCover } from './cover.ts'
import { giveHeadStart } from './early-preview.ts'
import { enqueueTextExtraction, startExtractionNow } from './extract-text.ts'
import { isBlocked, toFailure } from './failures.ts'
import { pageShape, writeLayout } from './layout-file.ts'
import type { RenditionObserver } from './observer.ts'
import type { PageImages } from './page-images.ts'
import { type Conversion, prepareContent } from './prepare.ts'
import {
  findRendition,
  findRenderSource,
  publishIfOwner,
  type Rendition,
  withoutEarlyPreview,
} from './renditions.queries.ts'
import { enqueueConversion, type QueuePosition } from './request.ts'
import { enqueueTableExtraction, startTableExtractionNow } from './tables/extract-table.ts'
import { layoutKey, revisionPrefix } from './storage-keys.ts'

/** What conversions need beside the context; made in the composition root. */
export interface ConversionDeps {
  pageImages: PageImages
  observer: RenditionObserver
  /** How long whatever is left of a new document waits for the reader of its first page. */
  headStartMs: number
  /** A folder for temporary files. */
  workDir: string
}

/** How long a blocked conversion waits for an administrator to install a program or to free disk space. */
const blockedRetryMs = 10 * 60 * 1000
const maxAttempts = 3
/** Fewer, as each of them takes all the time there is. */
const maxTimeouts = 2
const firstPages = 10

/** Converts one content. Idempotent: whatever interrupts it, doing it again leads to the same end. */
export async function convert(
  ctx: Ctx,
  deps: ConversionDeps,
  { hash, run }: { hash: string; run: JobRun },
): Promise<void> {
  const before = await takeLease(ctx, deps, hash)
  if (!before) return
  const minutes = ctx.settings.converter.timeout
  const timeout = AbortSignal.timeout(minutes * 60_000)
  // At least the time: leftovers of an earlier life of the same content cannot be mistaken for this revision.
  const previewRevision = Math.max(before.revision + 1, ctx.now())
  const conversion: Conversion = {
    hash,
    ext: before.ext,
    owner: run.owner,
    isCrawled: run.priority === JobPriority.Crawled,
    leaseId: before.lease_id,
    before,
    publishedRevision: before.revision,
    previewRevision,
    revision: previewRevision + 1,
    headStartMs: deps.headStartMs,
    workDir: join(deps.workDir, ctx.id()),
    signal: AbortSignal.any([run.signal, timeout]),
    deadline: Date.now() + minutes * 60_000,
  }
  try {
    await mkdir(conversion.workDir, { recursive: true })
    await convertToFirstPage(ctx, deps, conversion)
  } catch (error) {
    if (run.signal.aborted) await requeue(ctx, deps, conversion)
    else {
      const cause = timeout.aborted ? new Unconvertible('timeout') : error
      await handleFailure(ctx, deps, { conversion, run, error: cause })
    }
  } finally {
    await rm(conversion.workDir, { recursive: true, force: true }).catch(() => {})
    await removeUnpublished(ctx, conversion)
  }
  await warmUp(ctx, deps, conversion)
}

/** Undefined when there is nothing to do: it is converted, or removed. */
async function takeLease(ctx: Ctx, { observer }: ConversionDeps, hash: string): Promise<Rendition | undefined> {
  return transaction(ctx, async (ctx) => {
    const rendition = await ctx.db
      .updateTable('rendition')
      .set({ state: 'working', lease_id: ctx.id(), updated_at: ctx.now() })
      .where('hash', '=', hash)
      .where('state', 'in', ['waiting', 'working'])
      .returningAll()
      .executeTakeFirst()
    if (rendition) await observer.moved(ctx, hash, 'start')
    return rendition
  })
}

async function convertToFirstPage(ctx: Ctx, deps: ConversionDeps, conversion: Conversion): Promise<void> {
  const { hash, before, revision, signal } = conversion
  const { source, isDerived, opened, svg } = await prepareContent(ctx, deps.pageImages, conversion)
  // Both settled, so that nothing is written after a failed conversion has been cleaned up.
  const writes = await Promise.allSettled([
    deps.pageImages.put(ctx, { hash, revision, page: 1, svg }),
    writeLayout(ctx, layoutKey(hash, revision), opened),
  ])
  for (const write of writes) if (write.status === 'rejected') throw write.reason
  // A document that has a cover must not lose it for a moment.
  const cover = before.has_cover === 1 ? await renderCover(ctx, { hash, revision, source, signal }) : undefined
  await publish(ctx, deps, { conversion, opened, source, isDerived, cover })
}

interface ConvertedPages {
  conversion: Conversion
  opened: DocumentInfo
  source: RenderSource
  isDerived: boolean
  cover: { tint: string } | undefined
}

/** From here on readers see the pages. The jobs for the rest are enqueued in the same transaction. */
async function publish(ctx: Ctx, { observer }: ConversionDeps, pages: ConvertedPages): Promise<void> {
  const { conversion, opened, source, isDerived, cover } = pages
  const { hash, ext, owner, revision } = conversion
  const shape = pageShape(opened)
  await transaction(ctx, async (ctx) => {
    const isOwner = await publishIfOwner(ctx.db, conversion, {
      ...shape,
      is_partial: 0,
      state: 'done',
      revision,
      source_type: source.type,
      is_derived: isDerived ? 1 : 0,
      has_cover: cover ? 1 : 0,
      cover_tint: cover?.tint ?? '',
      text_pages: 0,
      reason: '',
      detail: '',
      updated_at: ctx.now(),
    })
    if (!isOwner) return
    await observer.moved(ctx, hash, 'succeed', shape)
    await enqueueTextExtraction(ctx, { hash, revision, owner })
    await enqueueTableExtraction(ctx, { hash, revision, ext, owner })
    ctx.emit('rendition.changed', { hash })
    ctx.emit('conversion.ended', { failed: false })
  })
}

/** Cover and first pages for the readers of the first minute. A failure here fails no document that is published. */
async function warmUp(ctx: Ctx, { pageImages }: ConversionDeps, conversion: Conversion): Promise<void> {
  const { hash, before, previewRevision, revision, signal } = conversion
  try {
    const rendition = await findRendition(ctx.db, hash)
    if (rendition?.revision !== revision) return
    const source = await findRenderSource(ctx, rendition)
    if (!source) return
    await giveHeadStart(ctx, conversion)
    if (!rendition.has_cover) await addCover(ctx, { rendition, source, signal })
    const last = Math.min(firstPages, rendition.pages)
    for (let page = 2; page <= last; page++)
      await pageImages.prerender(ctx, {
        rendition,
        page,
        source,
        options: { priority: RenderPriority.FirstPages, signal },
      })
    for (const former of [before.revision, previewRevision]) await pageImages.evict(hash, former)
    await startExtractionNow(ctx, { hash, revision })
    await startTableExtractionNow(ctx, rendition)
  } catch (error) {
    // Text extraction is enqueued: it starts a little later, and makes up for a missing cover.
    ctx.log.warn({ hash, error }, 'first pages not rendered')
  }
}

interface FailedConversion {
  conversion: Conversion
  run: JobRun
  error: unknown
}

async function handleFailure(
  ctx: Ctx,
  { observer }: ConversionDeps,
  { conversion, run, error }: FailedConversion,
): Promise<void> {
  const { hash, ext } = conversion
  const { reason, detail } = toFailure(error)
  ctx.log.warn({ hash, reason, error }, 'conversion failed')
  const blocked = isBlocked(reason)
  const attempts = reason === 'timeout' ? maxTimeouts : maxAttempts
  const retried = !blocked && failureReasons[reason].retried && run.attempt < attempts && !run.last
  const isOwner = await transaction(ctx, async (ctx) => {
    const state = blocked || retried ? 'waiting' : 'failed'
    if (!(await setStateIfOwner(ctx, conversion, { state, reason, detail }))) return false
    await observer.moved(ctx, hash, state === 'failed' ? 'fail' : 'interrupt')
    const later = { ...placeOf(conversion, JobPriority.Normal), runAt: ctx.now() + blockedRetryMs }
    if (blocked) await enqueueConversion(ctx, { hash, ext }, later)
    ctx.emit('rendition.changed', { hash })
    if (state === 'failed') ctx.emit('conversion.ended', { failed: true })
    return true
  })
  // It may fail again: those who have not had their first attempt go before.
  if (isOwner && retried) throw new RetryLast(reason, { cause: error })
}

/** The worker stops: another one converts it at once, and the attempt does not count. */
async function requeue(ctx: Ctx, { observer }: ConversionDeps, conversion: Conversion): Promise<void> {
  const { hash, ext, owner } = conversion
  await transaction(ctx, async (ctx) => {
    if (!(await setStateIfOwner(ctx, conversion, { state: 'waiting' }))) return
    await observer.moved(ctx, hash, 'interrupt')
    const priority = owner === 0 ? JobPriority.Normal : JobPriority.Upload
    await enqueueConversion(ctx, { hash, ext }, placeOf(conversion, priority))
  })
}

/** What was crawled stays behind all that people wait for. */
function placeOf({ isCrawled, owner }: Conversion, priority: number): QueuePosition {
  return isCrawled ? { priority: JobPriority.Crawled } : { priority, owner }
}

type StateChange = Partial<Pick<Rendition, 'reason' | 'detail'>> & Pick<Rendition, 'state'>

/** False when another worker holds the lease by now. */
async function setStateIfOwner(ctx: Ctx, { hash, leaseId }: Conversion, change: StateChange): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('rendition')
    .set({ ...change, ...withoutEarlyPreview, updated_at: ctx.now() })
    .where('hash', '=', hash)
    .where('state', '=', 'working')
    .where('lease_id', '=', leaseId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** Removes the files of revisions that were never published; only the database knows which those are. */
async function removeUnpublished(ctx: Ctx, { hash, previewRevision, revision }: Conversion): Promise<void> {
  try {
    const rendition = await findRendition(ctx.db, hash)
    const published = rendition?.pages ? rendition.revision : 0
    const keys: string[] = []
    for (const unpublished of [previewRevision, revision].filter((candidate) => candidate !== published))
      for await (const { key } of ctx.storage.list(revisionPrefix(hash, unpublished))) keys.push(key)
    await ctx.storage.remove(keys)
  } catch (error) {
    ctx.log.warn({ hash, error }, 'files of a conversion not removed')
  }
}
