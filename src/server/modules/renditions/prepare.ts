import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '#server/context.ts'
import { type Opened, type Prepared, Unconvertible } from '#server/convert/converter.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { bookKey } from './storage-keys.ts'
import { type Showing, showFirst, showFirstFile } from './early-preview.ts'
import type { Pictures } from './page-images.ts'
import type { Rendition } from './renditions.queries.ts'

/** One conversion of one content, from its being taken up. */
export interface Conversion extends Showing {
  ext: string
  /** As it was taken up. */
  begun: Rendition
  /** What will be announced: the first pages, where they come as a file of their own, and the whole. */
  early: number
  revision: number
  folder: string
  endsAt: number
}

interface MadeBook {
  book: Prepared
  made: boolean
}

interface OpenedContent extends MadeBook {
  opened: Opened
  /** Page 1. */
  svg: Uint8Array
}

/** What takes no longer is better waited for than shown in two steps. */
const soonMs = 15

/** From a file to its first page, and how many there are. Pages that are there long before the others are shown meanwhile. */
export async function openContent(ctx: Ctx, pictures: Pictures, conversion: Conversion): Promise<OpenedContent> {
  const made = await makeBook(ctx, pictures, conversion)
  return { ...made, ...(await openBook(ctx, pictures, { ...made, conversion })) }
}

/** What the renderer opens, at the place where it will stay: it need not be opened, or laid out, a second time. */
async function makeBook(ctx: Ctx, pictures: Pictures, conversion: Conversion): Promise<MadeBook> {
  const { hash, ext, begun, early, revision, folder, signal, endsAt } = conversion
  const path = await ctx.storage.local(contentKey(hash))
  if (!path) throw new Unconvertible('missing')
  const { size } = await stat(path)
  const source = { path, ext, size }
  const probe = await ctx.converter.probe(source)
  let shown: Promise<void> | undefined
  const onFirstPages = (first: Prepared) => {
    shown = showFirstFile(ctx, pictures, { showing: conversion, revision: early, first })
  }
  // Where there are pages already, a few new ones are no gain.
  const limits = {
    timeoutMs: Math.max(1000, endsAt - Date.now()),
    signal,
    ...(begun.pages === 0 && { onFirstPages }),
  }
  const preparing = unlessAborted(ctx.converter.prepare(source, probe, folder, limits), signal)
  // To their end, so that nothing is written after a failure has been cleared away.
  const prepared = await preparing.finally(() => shown)
  if (prepared.path === path) return { book: prepared, made: false }
  const key = bookKey(hash, revision, prepared.type)
  await ctx.storage.take(key, prepared.path)
  const kept = await ctx.storage.local(key)
  if (!kept) throw new Error(`${key} was not kept`)
  return { book: { ...prepared, path: kept }, made: true }
}

/** To count a book's pages is to lay out all of it: its first page is drawn before, and shown if that takes long. */
async function openBook(
  ctx: Ctx,
  pictures: Pictures,
  { conversion, book, made }: MadeBook & { conversion: Conversion },
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

/** Preparing may take a while to stop: a stopping worker does not wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
