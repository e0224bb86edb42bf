import { RenderPriority } from '#server/convert/converter.ts'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/context.ts'
import { type DocumentInfo, type RenderSource, Unconvertible } from '#server/convert/converter.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { giveHeadStart, type PreviewedConversion, publishFirstFile, publishFirstPages } from './early-preview.ts'
import type { PageImages } from './page-images.ts'
import type { Rendition } from './renditions.queries.ts'
import { sourceKey } from './storage-keys.ts'

/** One run of the converter over one content. */
export interface Conversion extends PreviewedConversion {
  ext: string
  /** The member who waits for it; 0 for the site itself. */
  owner: number
  /** Nobody waits for it. */
  isCrawled: boolean
  /** The row as it was when the lease was taken. */
  before: Rendition
  /** The revisions that this run publishes: an early preview, where it comes as a file of its own, then the whole. */
  previewRevision: number
  revision: number
  workDir: string
  deadline: number
}

interface DerivedSource {
  source: RenderSource
  isDerived: boolean
}

interface PreparedContent extends DerivedSource {
  opened: DocumentInfo
  /** Page 1. */
  svg: Uint8Array
}

/** If counting the pages takes no longer, the first page is not published ahead of them. */
const countingGraceMs = 15
/** Of a larger e-book it surely takes longer. */
const longBookBytes = 128 * 1024

/** From an uploaded file to its first page and the number of pages; publishes an early preview where the rest takes long. */
export async function prepareContent(
  ctx: Ctx,
  pageImages: PageImages,
  conversion: Conversion,
): Promise<PreparedContent> {
  const derived = await deriveSource(ctx, pageImages, conversion)
  return { ...derived, ...(await openSource(ctx, pageImages, { ...derived, conversion })) }
}

/** The file to render from, at the place where it stays, so that the renderer opens and lays it out only once. */
async function deriveSource(ctx: Ctx, pageImages: PageImages, conversion: Conversion): Promise<DerivedSource> {
  const { hash, ext, before, previewRevision, revision, workDir, signal, deadline } = conversion
  const path = await ctx.storage.local(contentKey(hash))
  if (!path) throw new Unconvertible('missing')
  const { size } = await stat(path)
  const upload = { path, ext, size }
  const probe = await ctx.converter.probe(upload)
  let previewing: Promise<void> | undefined
  const onFirstPages = (file: RenderSource) => {
    previewing = publishFirstFile(ctx, pageImages, { conversion, revision: previewRevision, file })
  }
  const limits = {
    timeoutMs: Math.max(1000, deadline - Date.now()),
    signal,
    // Where there are pages already, a few new ones are no gain.
    ...(before.pages === 0 && { onFirstPages }),
  }
  const preparing = rejectOnAbort(ctx.converter.prepare(upload, probe, workDir, limits), signal)
  // Awaited, so that nothing is written after a failed conversion has been cleaned up.
  const prepared = await preparing.finally(() => previewing)
  if (prepared.path === path) return { source: prepared, isDerived: false }
  const key = sourceKey(hash, revision, prepared.type)
  await ctx.storage.moveIn(key, prepared.path)
  const stored = await ctx.storage.local(key)
  if (!stored) throw new Error(`${key} was not stored`)
  return { source: { ...prepared, path: stored }, isDerived: true }
}

/** Counting the pages of an e-book lays out all of it: its first page is rendered before, and published if that takes long. */
async function openSource(
  ctx: Ctx,
  pageImages: PageImages,
  { conversion, source, isDerived }: DerivedSource & { conversion: Conversion },
): Promise<{ opened: DocumentInfo; svg: Uint8Array }> {
  const { before, revision, signal } = conversion
  const open = () => ctx.converter.open(source, { priority: RenderPriority.FirstPages, signal })
  const renderFirst = () => ctx.converter.renderPage(source, 1, { priority: RenderPriority.Reader, signal })
  if (source.type === 'pdf') {
    const opened = assertPageCount(ctx, await open())
    return { opened, svg: (await renderFirst()).svg }
  }
  const { svg, width, height } = await renderFirst()
  const isLong = before.pages === 0 && (await stat(source.path)).size > longBookBytes
  const counting = isLong ? undefined : open()
  const isQuick = counting && (await Promise.race([counting.then(() => true), sleep(countingGraceMs, false)]))
  if (!isQuick && before.pages === 0) {
    const opened = { pages: 1, sizes: [{ width, height }] }
    await publishFirstPages(ctx, pageImages, { conversion, first: { revision, source, isDerived, opened, svg } })
    if (isLong) await giveHeadStart(ctx, conversion)
  }
  return { opened: assertPageCount(ctx, await (counting ?? open())), svg }
}

function assertPageCount(ctx: Ctx, opened: DocumentInfo): DocumentInfo {
  if (opened.pages < 1) throw new Unconvertible('empty')
  if (opened.pages > ctx.settings.converter.max_pages) throw new Unconvertible('tooManyPages', `${opened.pages} pages`)
  return opened
}

/** Preparing may take a while to stop; a stopping worker does not wait for it. */
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}
