import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { type Ask, type Prepared, Unconvertible } from '#server/convert/converter.ts'
import { watermarked } from '#server/convert/render/svg/watermark.ts'
import { coverKey } from './storage-keys.ts'
import { watermarkOf } from '#server/modules/documents/documents.keys.ts'
import { findBook, type Rendition } from './renditions.queries.ts'
import { openPageCache } from './page-image-cache.ts'

/** Pictures of pages: from the cache, or drawn when somebody asks. */
export interface Pictures {
  /** As everybody gets it, compressed with gzip: with the site's watermark if there is one. */
  page(ctx: Ctx, rendition: Rendition, page: number): Promise<Uint8Array<ArrayBuffer>>
  thumb(ctx: Ctx, rendition: Rendition, page: number): Promise<Uint8Array<ArrayBuffer>>
  /** Kept in the storage; lists of documents ask for many at once, so there is a copy nearer. */
  cover(ctx: Ctx, rendition: Rendition): Promise<Uint8Array<ArrayBuffer>>
  /** Draws a page ahead of its readers, unless it is there. */
  prepare(ctx: Ctx, wanted: { rendition: Rendition; page: number; book: Prepared; ask: Ask }): Promise<void>
  /** Keeps a page that has been drawn. */
  keep(ctx: Ctx, drawn: { hash: string; revision: number; page: number; svg: Uint8Array }): Promise<void>
  hasRoom(ctx: Ctx): Promise<boolean>
  /** Forgets the pictures of one revision, or of the whole content. */
  drop(hash: string, revision?: number): Promise<void>
}

const thumbWidth = 160
/** Drawing takes a process's whole attention: who comes when so many wait already is asked to come again. */
const mostUnderway = 400
/** A page that could not be drawn costs seconds each time: it is not tried again for a while. */
const failedForMs = 5 * 60 * 1000
const mostFailed = 5000

export function openPictures(folder: string): Pictures {
  const cache = openPageCache(folder)
  const underway = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  const failed = new Map<string, number>()

  const once = (name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
    const begun = underway.get(name)
    if (begun) return begun
    if ((failed.get(name) ?? 0) > Date.now()) throw errors.documents.pageMissing()
    if (underway.size >= mostUnderway) throw errors.request.tooMany(1)
    const made = make()
      .then((bytes) => Uint8Array.from(bytes))
      .catch((error: unknown) => {
        if (!(error instanceof Unconvertible)) throw error
        if (failed.size >= mostFailed) failed.clear()
        failed.set(name, Date.now() + failedForMs)
        throw errors.documents.pageMissing()
      })
      .finally(() => underway.delete(name))
    underway.set(name, made)
    return made
  }

  const cached = async (ctx: Ctx, name: string, make: () => Promise<Uint8Array>) =>
    (await cache.get(name)) ??
    once(name, async () => {
      const bytes = await make()
      await cache.put(name, bytes, budgetOf(ctx))
      return bytes
    })

  const plain = (ctx: Ctx, rendition: Rendition, page: number) =>
    cached(ctx, pageName(rendition, page), async () => {
      const drawn = await ctx.converter.page(await bookOf(ctx, rendition), page, { urgency: 0 })
      return drawn.svg
    })

  return {
    page(ctx, rendition, page) {
      const text = watermarkOf(ctx.settings)
      if (!text) return plain(ctx, rendition, page)
      return cached(ctx, pageName(rendition, page, text), async () =>
        watermarked(await plain(ctx, rendition, page), text),
      )
    },

    thumb: (ctx, rendition, page) =>
      cached(ctx, `${folderOf(rendition)}/${page}.webp`, async () =>
        ctx.converter.picture(await bookOf(ctx, rendition), page, thumbWidth, { urgency: 0 }),
      ),

    cover: (ctx, rendition) =>
      cached(ctx, `${folderOf(rendition)}/cover.webp`, async () => {
        const { hash, revision, has_cover } = rendition
        const stored = has_cover ? await ctx.storage.read(coverKey(hash, revision)) : undefined
        if (!stored) throw errors.documents.pageMissing()
        return buffer(stored)
      }),

    async prepare(ctx, { rendition, page, book, ask }) {
      const name = pageName(rendition, page)
      if (underway.has(name) || (await cache.has(name))) return
      const { svg } = await ctx.converter.page(book, page, ask)
      await cache.put(name, svg, budgetOf(ctx))
    },

    keep: (ctx, { hash, revision, page, svg }) => cache.put(pageName({ hash, revision }, page), svg, budgetOf(ctx)),

    hasRoom: (ctx) => cache.hasRoom(budgetOf(ctx)),

    drop: (hash, revision) => cache.drop(revision === undefined ? contentFolder(hash) : folderOf({ hash, revision })),
  }
}

async function bookOf(ctx: Ctx, rendition: Rendition): Promise<Prepared> {
  const book = await findBook(ctx, rendition)
  if (!book) throw errors.documents.fileMissing()
  return book
}

function budgetOf({ settings }: Pick<Ctx, 'settings'>): number {
  return settings.converter.page_cache_mb * 1024 * 1024
}

type Named = Pick<Rendition, 'hash' | 'revision'>

function contentFolder(hash: string): string {
  return `${hash.slice(0, 2)}/${hash}`
}

function folderOf({ hash, revision }: Named): string {
  return `${contentFolder(hash)}/${revision}`
}

/** Each watermark has pictures of its own, so that changing it needs no clearing. */
function pageName(rendition: Named, page: number, watermark = ''): string {
  const mark = watermark && `.${createHash('sha256').update(watermark).digest('hex').slice(0, 12)}`
  return `${folderOf(rendition)}/${page}${mark}.svgz`
}
