import { RenderPriority } from '#server/convert/converter.ts'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { type RenderOptions, type RenderSource, Unconvertible } from '#server/convert/converter.ts'
import { changeGround, type ChangedGround } from '#server/convert/render/svg/ground.ts'
import { addWatermark } from '#server/convert/render/svg/watermark.ts'
import { openPageImageCache } from './page-image-cache.ts'
import { findRenderSource, type Rendition } from './renditions.queries.ts'
import { coverKey } from './storage-keys.ts'

/** Images of pages: from the cache on this machine's disk, or rendered on demand. */
export interface PageImages {
  /** SVG as readers get it, compressed with gzip and with the site's watermark if there is one. */
  page(ctx: Ctx, rendition: Rendition, page: number, ground?: ChangedGround): Promise<Uint8Array<ArrayBuffer>>
  thumbnail(ctx: Ctx, rendition: Rendition, page: number): Promise<Uint8Array<ArrayBuffer>>
  /** Kept in the storage; lists of documents need many at once, so the cache has a copy. */
  cover(ctx: Ctx, rendition: Rendition): Promise<Uint8Array<ArrayBuffer>>
  /** Renders a page ahead of its readers, unless it is cached. */
  prerender(
    ctx: Ctx,
    target: { rendition: Rendition; page: number; source: RenderSource; options: RenderOptions },
  ): Promise<void>
  /** Caches a page that has been rendered. */
  put(ctx: Ctx, rendered: { hash: string; revision: number; page: number; svg: Uint8Array }): Promise<void>
  hasRoom(ctx: Ctx): Promise<boolean>
  /** Drops the images of one revision, or of the whole content. */
  evict(hash: string, revision?: number): Promise<void>
}

const thumbnailWidth = 160
/** Rendering keeps a process busy: beyond so many requests, readers are asked to retry. */
const maxInFlight = 400
/** A page that cannot be rendered costs seconds each time: it is not retried for a while. */
const failedForMs = 5 * 60 * 1000
const maxFailed = 5000

export function openPageImages(folder: string): PageImages {
  const cache = openPageImageCache(folder)
  const inFlight = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  const failed = new LRUCache<string, true>({ max: maxFailed, ttl: failedForMs })

  /** Coalesces requests for one image. */
  const renderOnce = (name: string, render: () => Promise<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
    const running = inFlight.get(name)
    if (running) return running
    if (failed.has(name)) throw errors.documents.pageMissing()
    if (inFlight.size >= maxInFlight) throw errors.request.tooMany(1)
    const rendering = render()
      .then((bytes) => Uint8Array.from(bytes))
      .catch((error: unknown) => {
        if (!(error instanceof Unconvertible)) throw error
        failed.set(name, true)
        throw errors.documents.pageMissing()
      })
      .finally(() => inFlight.delete(name))
    inFlight.set(name, rendering)
    return rendering
  }

  const cached = async (ctx: Ctx, name: string, render: () => Promise<Uint8Array>) =>
    (await cache.get(name)) ??
    renderOnce(name, async () => {
      const bytes = await render()
      await cache.put(name, bytes, cacheBytes(ctx))
      return bytes
    })

  const withoutWatermark = (ctx: Ctx, rendition: Rendition, page: number) =>
    cached(ctx, pageName(rendition, page), async () => {
      const { svg } = await ctx.converter.renderPage(await getRenderSource(ctx, rendition), page, {
        priority: RenderPriority.Reader,
      })
      return svg
    })

  const onWhite = (ctx: Ctx, rendition: Rendition, page: number) => {
    const text = watermarkText(ctx.settings)
    if (!text) return withoutWatermark(ctx, rendition, page)
    return cached(ctx, pageName(rendition, page, text), async () =>
      addWatermark(await withoutWatermark(ctx, rendition, page), text),
    )
  }

  return {
    async page(ctx, rendition, page, ground) {
      if (!ground) return onWhite(ctx, rendition, page)
      const name = `${pageName(rendition, page, watermarkText(ctx.settings))}.${ground}`
      return cached(ctx, name, async () => changeGround(await onWhite(ctx, rendition, page), ground))
    },

    thumbnail: (ctx, rendition, page) =>
      cached(ctx, `${revisionFolder(rendition)}/${page}.webp`, async () => {
        const source = await getRenderSource(ctx, rendition)
        const { webp } = await ctx.converter.renderImage(source, page, thumbnailWidth, {
          priority: RenderPriority.Reader,
        })
        return webp
      }),

    cover: (ctx, rendition) =>
      cached(ctx, `${revisionFolder(rendition)}/cover.webp`, async () => {
        const { hash, revision, has_cover } = rendition
        const stored = has_cover ? await ctx.storage.read(coverKey(hash, revision)) : undefined
        if (!stored) throw errors.documents.pageMissing()
        return buffer(stored)
      }),

    async prerender(ctx, { rendition, page, source, options }) {
      const name = pageName(rendition, page)
      if (inFlight.has(name) || (await cache.has(name))) return
      const { svg } = await ctx.converter.renderPage(source, page, options)
      await cache.put(name, svg, cacheBytes(ctx))
    },

    put: (ctx, { hash, revision, page, svg }) => cache.put(pageName({ hash, revision }, page), svg, cacheBytes(ctx)),

    hasRoom: (ctx) => cache.hasRoom(cacheBytes(ctx)),

    evict: (hash, revision) =>
      cache.evict(revision === undefined ? contentFolder(hash) : revisionFolder({ hash, revision })),
  }
}

/** The text over each page; empty for none. */
export function watermarkText({ system }: Settings): string {
  return system.enable_watermark ? system.watermark || system.sitename : ''
}

async function getRenderSource(ctx: Ctx, rendition: Rendition): Promise<RenderSource> {
  const source = await findRenderSource(ctx, rendition)
  if (!source) throw errors.documents.fileMissing()
  return source
}

function cacheBytes({ settings }: Pick<Ctx, 'settings'>): number {
  return settings.converter.page_cache_mb * 1024 * 1024
}

type RevisionName = Pick<Rendition, 'hash' | 'revision'>

function contentFolder(hash: string): string {
  return `${hash.slice(0, 2)}/${hash}`
}

function revisionFolder({ hash, revision }: RevisionName): string {
  return `${contentFolder(hash)}/${revision}`
}

/** Goes up when pages are drawn otherwise: those in the cache are drawn anew. */
export const drawing = 2

/** Each watermark has images of its own, so that changing it needs no invalidation. */
function pageName(rendition: RevisionName, page: number, watermark = ''): string {
  const suffix = watermark && `.${createHash('sha256').update(watermark).digest('hex').slice(0, 12)}`
  return `${revisionFolder(rendition)}/${page}.${drawing}${suffix}.svgz`
}
