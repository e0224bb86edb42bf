import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { failureReasons } from '#shared/conversion.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { type Opened, type Prepared, Unconvertible } from '#server/convert/converter.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { addCover, drawCover } from './cover.ts'
import { failureOf, isHeldUp } from './failures.ts'
import { planKey, revisionPrefix } from './storage-keys.ts'
import { shapeOf } from './early-preview.ts'
import { type Conversion, openContent } from './prepare.ts'
import type { Pictures } from './page-images.ts'
import { writePlan } from '#server/modules/documents/reader/layout.ts'
import { enqueueReading, readNow } from './extract-text.ts'
import { holdDocuments } from '#server/modules/documents/documents.locks.ts'
import {
  afterOthers,
  announceOwn,
  beforeOthers,
  documentsOf,
  enqueueConversion,
  findBook,
  findRendition,
  type Rendition,
  withoutFirstPages,
} from './renditions.queries.ts'
import { moveDocuments } from '#server/modules/documents/documents.status.ts'

/** Where conversions are done: the pictures they fill, and a folder for what is needed meanwhile. */
export interface Workshop {
  pictures: Pictures
  folder: string
}

/** Waiting for a person to install something, or to make room. */
const heldUpMs = 10 * 60 * 1000
const mostAttempts = 3
const firstPages = 10
/** While nothing else is to be done, the first page is let go its way to whoever opens the document. */
const restMs = 250

/** Converts one content. Whatever interrupts it, doing it again leads to the same end. */
export async function convert(ctx: Ctx, shop: Workshop, { hash, run }: { hash: string; run: JobRun }): Promise<void> {
  const begun = await begin(ctx, hash)
  if (!begun) return
  const minutes = ctx.settings.converter.timeout
  const late = AbortSignal.timeout(minutes * 60_000)
  // Also the time: what an earlier life of the same content has left can never be taken for this.
  const early = Math.max(begun.revision + 1, ctx.now())
  const conversion: Conversion = {
    hash,
    ext: begun.ext,
    run: begun.run,
    begun,
    before: begun.revision,
    early,
    revision: early + 1,
    folder: join(shop.folder, ctx.id()),
    signal: AbortSignal.any([run.signal, late]),
    endsAt: Date.now() + minutes * 60_000,
  }
  try {
    await mkdir(conversion.folder, { recursive: true })
    await toFirstPage(ctx, shop, conversion)
  } catch (error) {
    if (run.signal.aborted) await giveBack(ctx, conversion)
    else await conclude(ctx, { conversion, run, error: late.aborted ? new Unconvertible('timeout') : error })
  } finally {
    await rm(conversion.folder, { recursive: true, force: true }).catch(() => {})
    await forgetUnannounced(ctx, conversion)
  }
  await followUp(ctx, shop, conversion)
}

/** Undefined when there is nothing to do: it was done, or nobody wants it any more. */
async function begin(ctx: Ctx, hash: string): Promise<Rendition | undefined> {
  return transaction(ctx, async (ctx) => {
    const rendition = await ctx.db
      .updateTable('rendition')
      .set({ state: 'working', run: ctx.id(), updated_at: ctx.now() })
      .where('hash', '=', hash)
      .where('state', 'in', ['waiting', 'working'])
      .returningAll()
      .executeTakeFirst()
    if (rendition) await moveDocuments(ctx, await documentsOf(ctx.db, hash), 'start')
    return rendition
  })
}

async function toFirstPage(ctx: Ctx, shop: Workshop, conversion: Conversion): Promise<void> {
  const { hash, begun, revision, signal } = conversion
  const { book, made, opened, svg } = await openContent(ctx, shop.pictures, conversion)
  // Both to their end, so that nothing is written after a failure has been cleared away.
  const kept = await Promise.allSettled([
    shop.pictures.keep(ctx, { hash, revision, page: 1, svg }),
    writePlan(ctx, planKey(hash, revision), opened),
  ])
  for (const one of kept) if (one.status === 'rejected') throw one.reason
  // Who has a cover already must not be without one for a moment.
  const covered = begun.has_cover === 1 && (await drawCover(ctx, { hash, revision, book, signal }))
  await announce(ctx, conversion, { opened, book, made, covered })
}

interface Made {
  opened: Opened
  book: Prepared
  made: boolean
  covered: boolean
}

/** From here on people see the pages. What is left to do is in the queue before anybody knows. */
async function announce(ctx: Ctx, conversion: Conversion, { opened, book, made, covered }: Made): Promise<void> {
  const { hash, revision } = conversion
  const shape = shapeOf(opened)
  await transaction(ctx, async (ctx) => {
    const isOurs = await announceOwn(ctx.db, conversion, {
      ...shape,
      partial: 0,
      state: 'done',
      revision,
      type: book.type,
      made: made ? 1 : 0,
      has_cover: covered ? 1 : 0,
      read_pages: 0,
      reason: '',
      detail: '',
      updated_at: ctx.now(),
    })
    // Another worker has taken it up, or was faster.
    if (!isOurs) return
    const ids = await documentsOf(ctx.db, hash)
    await holdDocuments(ctx, ids)
    await ctx.db.updateTable('document').set(shape).where('hash', '=', hash).execute()
    await moveDocuments(ctx, ids, 'succeed')
    await enqueueReading(ctx, { hash, revision })
    ctx.emit('rendition.changed', { hash })
    ctx.emit('conversion.ended', { failed: false })
  })
}

/** What makes the first minute pleasant. Nothing here can fail a document that is already shown. */
async function followUp(
  ctx: Ctx,
  { pictures }: Workshop,
  { hash, begun, early, revision, signal }: Conversion,
): Promise<void> {
  try {
    const rendition = await findRendition(ctx.db, hash)
    if (rendition?.revision !== revision) return
    const book = await findBook(ctx, rendition)
    if (!book) return
    if (!(await othersWait(ctx))) await pause(restMs)
    if (!rendition.has_cover) await addCover(ctx, { rendition, book, signal })
    const last = Math.min(firstPages, rendition.pages)
    for (let page = 2; page <= last; page++)
      await pictures.prepare(ctx, { rendition, page, book, ask: { urgency: 1, signal } })
    for (const former of [begun.revision, early]) await pictures.drop(hash, former)
    await readNow(ctx, { hash, revision })
  } catch (error) {
    // The reading is in the queue: it begins a little later, and makes good what is missing.
    ctx.log.warn({ hash, error }, 'first pages not drawn')
  }
}

async function othersWait({ db, now }: Ctx): Promise<boolean> {
  const waiting = await db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'waiting')
    .where('kind', 'in', ['document.convert', 'document.convert-office'])
    .where('run_at', '<=', now())
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

interface Failed {
  conversion: Conversion
  run: JobRun
  error: unknown
}

async function conclude(ctx: Ctx, { conversion, run, error }: Failed): Promise<void> {
  const { hash, ext } = conversion
  const { reason, detail } = failureOf(error)
  ctx.log.warn({ hash, reason, error }, 'conversion failed')
  const heldUp = isHeldUp(reason)
  const again = !heldUp && failureReasons[reason].retried && run.attempt < mostAttempts && !run.last
  const isOurs = await transaction(ctx, async (ctx) => {
    const state = heldUp || again ? 'waiting' : 'failed'
    if (!(await leave(ctx, conversion, { state, reason, detail }))) return false
    await moveDocuments(ctx, await documentsOf(ctx.db, hash), state === 'failed' ? 'fail' : 'interrupt')
    if (heldUp) await enqueueConversion(ctx, { hash, ext }, { ...afterOthers, runAt: ctx.now() + heldUpMs })
    ctx.emit('rendition.changed', { hash })
    if (state === 'failed') ctx.emit('conversion.ended', { failed: true })
    return true
  })
  if (isOurs && again) throw error
}

/** The worker stops: another takes it up at once, and the attempt does not count. */
async function giveBack(ctx: Ctx, conversion: Conversion): Promise<void> {
  const { hash, ext } = conversion
  await transaction(ctx, async (ctx) => {
    if (!(await leave(ctx, conversion, { state: 'waiting' }))) return
    await moveDocuments(ctx, await documentsOf(ctx.db, hash), 'interrupt')
    await enqueueConversion(ctx, { hash, ext }, beforeOthers)
  })
}

type Left = Partial<Pick<Rendition, 'reason' | 'detail'>> & Pick<Rendition, 'state'>

/** False when it is another's by now: who was thought dead has nothing to say any more. */
async function leave(ctx: Ctx, { hash, run }: Conversion, left: Left): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('rendition')
    .set({ ...left, ...withoutFirstPages, updated_at: ctx.now() })
    .where('hash', '=', hash)
    .where('state', '=', 'working')
    .where('run', '=', run)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** Removes what was kept for pages that nobody will see. The database alone knows whether they were announced. */
async function forgetUnannounced(ctx: Ctx, { hash, early, revision }: Conversion): Promise<void> {
  try {
    const rendition = await findRendition(ctx.db, hash)
    const shown = rendition?.pages ? rendition.revision : 0
    const keys: string[] = []
    for (const one of [early, revision].filter((one) => one !== shown))
      for await (const { key } of ctx.storage.list(revisionPrefix(hash, one))) keys.push(key)
    await ctx.storage.remove(keys)
  } catch (error) {
    ctx.log.warn({ hash, error }, 'left behind after a conversion')
  }
}
