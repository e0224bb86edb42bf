import type { Ctx } from '#server/context.ts'
import type { Opened, Prepared } from '#server/convert/converter.ts'
import { bookKey, planKey } from './storage-keys.ts'
import type { Pictures } from './page-images.ts'
import { wholeSize, writePlan } from '#server/modules/documents/reader/layout.ts'
import { announceOwn, type Rendition } from './renditions.queries.ts'

/** A conversion under way, as far as its first pages are concerned. */
export interface Showing {
  hash: string
  /** Stands in the rendition for as long as nobody else has taken it up. */
  run: string
  /** What is announced by now. */
  before: number
  signal: AbortSignal
}

interface First {
  revision: number
  book: Prepared
  made: boolean
  opened: Pick<Opened, 'pages' | 'sizes'>
  /** Page 1. */
  svg: Uint8Array
}

/** A file of its own holds the first pages: it is kept until the whole is there. */
export async function showFirstFile(
  ctx: Ctx,
  pictures: Pictures,
  { showing, revision, first }: { showing: Showing; revision: number; first: Prepared },
): Promise<void> {
  const { hash, signal } = showing
  try {
    const key = bookKey(hash, revision, first.type)
    await ctx.storage.take(key, first.path)
    const path = await ctx.storage.local(key)
    if (!path) return
    const book = { ...first, path }
    const opened = await ctx.converter.open(book, { urgency: 0, signal })
    const { svg } = await ctx.converter.page(book, 1, { urgency: 0, signal })
    await writePlan(ctx, planKey(hash, revision), opened)
    await showFirst(ctx, pictures, { showing, first: { revision, book, made: true, opened, svg } })
  } catch (error) {
    // Whatever is wrong with it, the whole will tell.
    if (!signal.aborted) ctx.log.info({ hash, error }, 'first pages not shown')
  }
}

/** Who looks at the document now sees its beginning. No document counts these pages as its own. */
export async function showFirst(
  ctx: Ctx,
  pictures: Pictures,
  { showing, first }: { showing: Showing; first: First },
): Promise<void> {
  const { hash } = showing
  const { revision, book, made, opened, svg } = first
  await pictures.keep(ctx, { hash, revision, page: 1, svg })
  const isOurs = await announceOwn(ctx.db, showing, {
    ...shapeOf(opened),
    partial: 1,
    revision,
    type: book.type,
    made: made ? 1 : 0,
    has_cover: 0,
    read_pages: 0,
  })
  if (!isOurs) return
  showing.before = revision
  ctx.emit('rendition.changed', { hash })
}

/** What is written down of pages: how many, and the size of the first. */
export function shapeOf({ pages, sizes: [size] }: Pick<Opened, 'pages' | 'sizes'>) {
  return { pages, ...wholeSize(size ?? { width: 595, height: 842 }) } satisfies Partial<Rendition>
}
