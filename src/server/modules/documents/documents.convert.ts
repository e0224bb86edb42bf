import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { failureReasons } from '#shared/conversion.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { type Opened, type Prepared, Unconvertible } from '#server/convert/converter.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { contentKey } from '../attachments/attachments.files.ts'
import { addCover, drawCover } from './documents.cover.ts'
import { failureOf, isHeldUp } from './documents.failures.ts'
import { bookKey, planKey, revisionPrefix } from './documents.files.ts'
import type { Pictures } from './documents.pictures.ts'
import { type Showing, shapeOf, showFirst, showFirstFile } from './documents.first-pages.ts'
import { writePlan } from './documents.plan.ts'
import { enqueueReading, readNow } from './documents.reading.ts'
import { holdDocuments } from './documents.hold.ts'
import {
  afterOthers,
  beforeOthers,
  documentsOf,
  enqueueConversion,
  findBook,
  findRendition,
  type Rendition,
  withoutFirstPages,
} from './documents.renditions.ts'
import { moveDocuments } from './documents.status.ts'

/** Where conversions are done: the pictures they fill, and a folder for what is needed meanwhile. */
export interface Workshop {
  pictures: Pictures
  folder: string
}

interface Conversion extends Showing {
  ext: string
  /** As it was taken up. */
  begun: Rendition
  /** What will be announced: the first pages, where they come as a file of their own, and the whole. */
  early: number
  revision: number
  folder: string
  endsAt: number
}

/** Waiting for a person to install something, or to make room. */
const heldUpMs = 10 * 60 * 1000
const mostAttempts = 3
const firstPages = 10
/** What takes no longer is better waited for than shown in two steps. */
const soonMs = 15
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
  const { book, made } = await makeBook(ctx, shop, conversion)
  const { opened, svg } = await openBook(ctx, shop, { conversion, book, made })
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

/** What the renderer opens, at the place where it will stay: it need not be opened, or laid out, a second time. */
async function makeBook(ctx: Ctx, shop: Workshop, conversion: Conversion): Promise<{ book: Prepared; made: boolean }> {
  const { hash, ext, begun, early, revision, folder, signal, endsAt } = conversion
  const path = await ctx.storage.local(contentKey(hash))
  if (!path) throw new Unconvertible('missing')
  const { size } = await stat(path)
  const source = { path, ext, size }
  const probe = await ctx.converter.probe(source)
  let shown: Promise<void> | undefined
  const onFirstPages = (first: Prepared) => {
    shown = showFirstFile(ctx, shop.pictures, { showing: conversion, revision: early, first })
  }
  // Where there are pages already, a few new ones are no gain.
  const limits = {
    timeoutMs: Math.max(1000, endsAt - Date.now()),
    signal,
    ...(begun.pages === 0 && { onFirstPages }),
  }
  const prepared = await unlessAborted(ctx.converter.prepare(source, probe, folder, limits), signal)
  await shown
  if (prepared.path === path) return { book: prepared, made: false }
  const key = bookKey(hash, revision, prepared.type)
  await ctx.storage.take(key, prepared.path)
  const kept = await ctx.storage.local(key)
  if (!kept) throw new Error(`${key} was not kept`)
  return { book: { ...prepared, path: kept }, made: true }
}

interface Opening {
  conversion: Conversion
  book: Prepared
  made: boolean
}

/** To count a book's pages is to lay out all of it: its first page is drawn before, and shown if that takes long. */
async function openBook(
  ctx: Ctx,
  { pictures }: Workshop,
  { conversion, book, made }: Opening,
): Promise<{ opened: Opened; svg: Uint8Array }> {
  const { begun, revision, signal } = conversion
  const open = () => ctx.converter.open(book, { urgency: 1, signal })
  const draw = () => ctx.converter.page(book, 1, { urgency: 0, signal })
  if (book.type === 'pdf') {
    const opened = checked(ctx, await open())
    return { opened, svg: (await draw()).svg }
  }
  const { svg, width, height } = await draw()
  const opening = open()
  const isSoon = await Promise.race([opening.then(() => true), pause(soonMs, false)])
  if (!isSoon && begun.pages === 0) {
    const opened = { pages: 1, sizes: [{ width, height }] }
    await showFirst(ctx, pictures, { showing: conversion, first: { revision, book, made, opened, svg } })
  }
  return { opened: checked(ctx, await opening), svg }
}

function checked(ctx: Ctx, opened: Opened): Opened {
  if (opened.pages < 1) throw new Unconvertible('empty')
  if (opened.pages > ctx.settings.converter.max_pages) throw new Unconvertible('tooManyPages', `${opened.pages} pages`)
  return opened
}

interface Made {
  opened: Opened
  book: Prepared
  made: boolean
  covered: boolean
}

/** From here on people see the pages. What is left to do is in the queue before anybody knows. */
async function announce(ctx: Ctx, conversion: Conversion, { opened, book, made, covered }: Made): Promise<void> {
  const { hash, run, before, revision } = conversion
  const shape = shapeOf(opened)
  await transaction(ctx, async (ctx) => {
    const { numUpdatedRows } = await ctx.db
      .updateTable('rendition')
      .set({
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
      .where('hash', '=', hash)
      .where('state', '=', 'working')
      .where('run', '=', run)
      .where('revision', '=', before)
      .executeTakeFirstOrThrow()
    // Another worker has taken it up, or was faster.
    if (!numUpdatedRows) return
    const ids = await documentsOf(ctx.db, hash)
    await holdDocuments(ctx, ids)
    await ctx.db.updateTable('document').set(shape).where('hash', '=', hash).execute()
    await moveDocuments(ctx, ids, 'succeed')
    await enqueueReading(ctx, { hash, revision })
    ctx.emit('rendition.changed', { hash })
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

/** Preparing may take a while to stop: a stopping worker does not wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
