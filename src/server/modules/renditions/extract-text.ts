import { previewPages } from '#shared/preview.ts'
import type { Ctx } from '#server/context.ts'
import { type PageLines, type Prepared, Unconvertible } from '#server/convert/converter.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { addCover } from './cover.ts'
import { linesKey, renditionPrefix } from './storage-keys.ts'
import type { Pictures } from './page-images.ts'
import { findBook, findRendition, type Rendition } from './renditions.queries.ts'
import { endOfSlice, textOfPage, writeSlice } from './page-text.ts'

/** One stretch of a document, small enough that others' turns come soon. */
export interface Stretch {
  hash: string
  revision: number
  from: number
  /** How many slices could not be read so far. */
  unread: number
}

const pagesAtOnce = 100
const mostUnread = 3
const excerptLength = 8192
/** If the conversion that draws the first pages is killed, reading begins without it. */
const patienceMs = 15_000
const drawnAhead = 500
const drawnAtOnce = 4

export async function enqueueReading(ctx: Ctx, { hash, revision }: { hash: string; revision: number }): Promise<void> {
  await enqueue(ctx, {
    kind: 'document.read',
    payload: { hash, revision, from: 1, unread: 0 },
    key: readingKey(hash, revision),
    runAt: ctx.now() + patienceMs,
  })
}

/** The first pages are drawn: nothing keeps the reading waiting. */
export async function readNow(ctx: Ctx, { hash, revision }: { hash: string; revision: number }): Promise<void> {
  await ctx.db
    .updateTable('job')
    .set({ run_at: ctx.now() })
    .where('key', '=', readingKey(hash, revision))
    .where('state', '=', 'waiting')
    .execute()
  ctx.emit('job.waiting', {})
}

/** Reads the text of a stretch and puts the next one into the queue; after the last, pages are drawn ahead. */
export async function readStretch(ctx: Ctx, stretch: Stretch, signal: AbortSignal): Promise<void> {
  const found = await findTurn(ctx, stretch)
  if (!found) return
  const { rendition, book } = found
  const { hash, revision, pages } = rendition
  const to = Math.min(pages, stretch.from + pagesAtOnce - 1)
  const at = { ...stretch }
  try {
    if (at.from === 1 && !rendition.has_cover) await addCover(ctx, { rendition, book, signal })
    while (at.from <= to) Object.assign(at, await readOn(ctx, { at, pages, book, signal }))
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (at.from <= pages)
    return enqueue(ctx, { kind: 'document.read', payload: at, key: readingKey(hash, revision), runAt: ctx.now() })
  await removeOlder(ctx, rendition)
  await enqueue(ctx, { kind: 'document.draw', payload: { ...at, from: 1 }, key: `draw:${hash}`, priority: -1 })
}

/** Draws pages that people may ask for while nothing else is to be done and the cache has room. */
export async function drawStretch(
  ctx: Ctx,
  pictures: Pictures,
  { stretch, signal }: { stretch: Stretch; signal: AbortSignal },
): Promise<void> {
  const { from } = stretch
  const found = await findTurn(ctx, stretch)
  if (!found || !(await pictures.hasRoom(ctx))) return
  const { rendition, book } = found
  const last = Math.min(drawnAhead, previewPages(rendition.pages, ctx.settings.converter))
  const to = Math.min(last, from + pagesAtOnce - 1)
  for (let page = from; page <= to && !signal.aborted; page += drawnAtOnce) {
    const pages = Array.from({ length: Math.min(drawnAtOnce, to - page + 1) }, (_, n) => page + n)
    const draw = (page: number) => pictures.prepare(ctx, { rendition, page, book, ask: { urgency: 2, signal } })
    await Promise.allSettled(pages.map(draw))
  }
  if (to >= last || signal.aborted) return
  await enqueue(ctx, {
    kind: 'document.draw',
    payload: { ...stretch, from: to + 1 },
    key: `draw:${stretch.hash}`,
    priority: -1,
  })
}

function readingKey(hash: string, revision: number): string {
  return `read:${hash}:${revision}`
}

/** Undefined when the document was converted anew in the meantime, or has gone. */
async function findTurn(ctx: Ctx, { hash, revision }: Stretch) {
  const rendition = await findRendition(ctx.db, hash)
  if (!rendition || rendition.revision !== revision) return undefined
  const book = await findBook(ctx, rendition)
  return book && { rendition, book }
}

interface Reading {
  at: Stretch
  pages: number
  book: Prepared
  signal: AbortSignal
}

/** Reads one slice. A document of which nothing can be read does not keep the queue busy to its end. */
async function readOn(ctx: Ctx, { at, pages, book, signal }: Reading): Promise<Pick<Stretch, 'from' | 'unread'>> {
  const { hash, revision, from } = at
  if (at.unread >= mostUnread) {
    await record(ctx, { hash, revision, from, to: pages, lines: [] })
    return { from: pages + 1, unread: at.unread }
  }
  const to = Math.min(pages, endOfSlice(from))
  const lines = await linesOf(ctx, { book, from, to, signal })
  await writeSlice(ctx, linesKey(hash, revision, from), lines ?? [])
  await record(ctx, { hash, revision, from, to, lines: lines ?? [] })
  return { from: to + 1, unread: at.unread + (lines ? 0 : 1) }
}

interface Wanted {
  book: Prepared
  from: number
  to: number
  signal: AbortSignal
}

/** Undefined when these pages cannot be read: the rest of the document still can. */
async function linesOf(ctx: Ctx, { book, from, to, signal }: Wanted): Promise<PageLines[] | undefined> {
  try {
    return await ctx.converter.lines(book, from, to, { urgency: 2, signal })
  } catch (error) {
    if (!(error instanceof Unconvertible)) throw error
    ctx.log.warn({ from, to, error }, 'pages not read')
    return undefined
  }
}

interface Read {
  hash: string
  revision: number
  from: number
  to: number
  lines: PageLines[]
}

/** Only the next pages count: a stretch that is read twice is recorded once. */
async function record(ctx: Ctx, { hash, revision, from, to, lines }: Read): Promise<void> {
  const rendition = await findRendition(ctx.db, hash)
  const before = from === 1 ? '' : (rendition?.excerpt ?? '')
  const excerpt = before.length < excerptLength ? excerptOf([before, ...lines.map(textOfPage)]) : before
  const { numUpdatedRows } = await ctx.db
    .updateTable('rendition')
    .set({ read_pages: to, excerpt, updated_at: ctx.now() })
    .where('hash', '=', hash)
    .where('revision', '=', revision)
    .where('read_pages', '=', from - 1)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) ctx.emit('rendition.changed', { hash })
}

function excerptOf(parts: readonly string[]): string {
  const text = parts.filter(Boolean).join('\n').replaceAll('\0', '')
  // Never half a character at the end, which no database takes.
  return text
    .slice(0, excerptLength)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
}

/** What earlier conversions, and those that were killed, have left. */
async function removeOlder({ storage }: Ctx, { hash, revision }: Rendition): Promise<void> {
  const prefix = renditionPrefix(hash)
  const older: string[] = []
  for await (const { key } of storage.list(prefix))
    if (Number(key.slice(prefix.length).split('/')[0]) < revision) older.push(key)
  await storage.remove(older)
}
