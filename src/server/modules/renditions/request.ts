import { type Ctx, transaction } from '#server/context.ts'
import { cancelWaiting, enqueue, type JobKind, jobKey, runNow } from '#server/jobs.ts'
import { JobPriority, takeOver } from '#server/jobs/queue.ts'
import { documentFileTypes } from '#server/modules/attachments/attachments.store.ts'
import { type Rendition, withoutEarlyPreview } from './renditions.queries.ts'

type Content = Pick<Rendition, 'hash' | 'ext'>

export interface QueuePosition {
  priority: number
  /** The member who waits for it; 0 for the site itself. Owners take turns; jobs without an owner keep their order. */
  owner?: number
  runAt?: number
}

/** What a new document needs to know of pages that exist already. */
type RequestedRendition = Pick<Rendition, 'state' | 'pages' | 'width' | 'height'>

/**
 * Has this content converted, unless it is or will be. Call it in the transaction that creates the document: the write
 * locks the rendition's row, so that the conversion ends before or after the document exists, and overlooks none.
 * State `done` means that the document is ready at once.
 */
export async function requestRendition(
  ctx: Ctx,
  { hash, ext }: Content,
  position: QueuePosition,
): Promise<RequestedRendition> {
  return transaction(ctx, async (ctx) => {
    const created = await createRendition(ctx, { hash, ext }, position)
    if (created) return created
    const existing = await ctx.db
      .updateTable('rendition')
      .set({ updated_at: ctx.now() })
      .where('hash', '=', hash)
      .returning(['ext', 'state', 'pages', 'is_partial', 'width', 'height'])
      .executeTakeFirstOrThrow()
    // An extension says how to read a content: that of the first document counts, not that of an upload before it.
    const isOutdated = existing.ext !== ext && !(await isPublished(ctx, hash))
    if (existing.state !== 'failed' && !isOutdated) {
      if (existing.state === 'waiting') await moveForward(ctx, { hash, ext: existing.ext }, position)
      return existing.is_partial ? { ...existing, pages: 0 } : existing
    }
    // It may wait in the queue of the other extension.
    if (existing.state === 'waiting') await cancelWaiting(ctx, 'renditions.convert', { hash })
    // Under another extension, or on another day, the same content may be convertible after all.
    await resetToWaiting(ctx, { hash, ext })
    await enqueueConversion(ctx, { hash, ext }, position)
    return { ...existing, state: 'waiting' }
  })
}

/**
 * Has an uploaded content converted before it is published, which most are within a second. Readers do not see the pages before: they
 * are reached through documents only. Of an upload that is given up the sweep removes them with the content.
 */
export async function requestEarly(ctx: Ctx, content: Content, position: QueuePosition): Promise<void> {
  await transaction(ctx, (ctx) => createRendition(ctx, content, position))
}

/** Undefined if there is one. */
async function createRendition(
  ctx: Ctx,
  { hash, ext }: Content,
  position: QueuePosition,
): Promise<RequestedRendition | undefined> {
  const now = ctx.now()
  const created = await ctx.db
    .insertInto('rendition')
    .values({ hash, ext, state: 'waiting', created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning(['state', 'pages', 'width', 'height'])
    .executeTakeFirst()
  if (created) await enqueueConversion(ctx, { hash, ext }, position)
  return created
}

/** Converts a content again; its present pages stay visible until the new ones are there. */
export async function requestReconversion(ctx: Ctx, content: Content): Promise<void> {
  const position = { priority: JobPriority.Normal, owner: ctx.viewer.id }
  const { state } = await requestRendition(ctx, content, position)
  if (state === 'working') return
  if (state === 'waiting') return runNow(ctx, 'renditions.convert', { hash: content.hash })
  await resetToWaiting(ctx, content)
  await enqueueConversion(ctx, content, position)
  ctx.emit('rendition.changed', { hash: content.hash })
}

/** Whether a file of this content belongs to a document, and not only to the one who has uploaded it. */
async function isPublished({ db }: Ctx, hash: string): Promise<boolean> {
  const published = await db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('type', 'in', documentFileTypes)
    .where('type_id', '<>', 0)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return published !== undefined
}

/** A conversion that is running publishes nothing from here on: it has lost its lease. */
async function resetToWaiting({ db }: Ctx, { hash, ext }: Content): Promise<void> {
  await db
    .updateTable('rendition')
    .set({ state: 'waiting', ext, reason: '', detail: '', ...withoutEarlyPreview })
    .where('hash', '=', hash)
    .execute()
}

export async function enqueueConversion(ctx: Ctx, { hash, ext }: Content, position: QueuePosition): Promise<void> {
  await enqueue(ctx, conversionKind(ext), { hash }, position)
}

/** A member does not wait behind what was crawled, nor in the place of another who has uploaded the same content before. */
async function moveForward(ctx: Ctx, { hash, ext }: Content, { priority, owner }: QueuePosition): Promise<void> {
  if (owner === undefined || priority <= JobPriority.Crawled) return
  const kind = conversionKind(ext)
  await takeOver(ctx, { kind, key: jobKey(kind, { hash }), priority, owner })
}

function conversionKind(ext: string) {
  return withoutOffice.has(ext) ? 'renditions.convert' : ('renditions.convert-office' satisfies JobKind)
}

/** Converted without LibreOffice, in a queue of their own. */
const withoutOffice: ReadonlySet<string> = new Set([
  '.pdf',
  '.txt',
  '.md',
  '.markdown',
  '.epub',
  '.mobi',
  '.umd',
  '.chm',
  '.azw',
  '.azw3',
  '.azw4',
])
