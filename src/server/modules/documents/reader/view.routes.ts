import { RenderPriority } from '#server/convert/converter.ts'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { LRUCache } from 'lru-cache'
import { failedStatuses } from '#shared/document-status.ts'
import { AppError, errors } from '#shared/errors.ts'
import { pagesPerReflow, reflowGroupStart } from '#shared/reflow.ts'
import { previewPages } from '#shared/preview.ts'
import { anonymous, type Ctx } from '#server/context.ts'
import { type PageLines, Unconvertible } from '#server/convert/converter.ts'
import type { ChangedGround } from '#server/convert/render/svg/ground.ts'
import { admit } from '#server/http/api/admit.ts'
import { findViewerOfSession } from '#server/modules/access/access.viewer.ts'
import { escapeHtml } from '#shared/escape-html.ts'
import { textSliceKey } from '#server/modules/renditions/storage-keys.ts'
import { imageVersion, parseViewKey, type ViewKey } from '../documents.keys.ts'
import type { PageImages } from '#server/modules/renditions/page-images.ts'
import { isPaidFor } from '../documents.paid.ts'
import { readsAll } from '../documents.policy.ts'
import { findLiveShares } from '../visibility/share-keys.ts'
import { canSee } from '../visibility/visibility.policy.ts'
import { findRendition, findRenderSource, type Rendition } from '#server/modules/renditions/renditions.queries.ts'
import { readSlice } from '#server/modules/renditions/page-text.ts'
import { enqueueBlocks, hasFinalBlocks } from '#server/modules/renditions/reflow/store-blocks.ts'
import { readPicture } from '#server/modules/renditions/reflow/pictures.ts'
import { readReflowedPages } from '#server/modules/renditions/reflow/page-blocks.ts'

interface Deps {
  pageImages: PageImages
  /** Anonymous: access depends on the key in the address alone. */
  contextOf: () => Promise<Ctx>
}

export interface ViewedRendition {
  key: ViewKey
  /** Also beyond the preview. */
  isWhole: boolean
  price: number
  rendition: Rendition
}

interface ViewedPage extends ViewedRendition {
  page: number
}

interface FileContent {
  body: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
  /** In place of that of its address. */
  cacheControl?: string
}

type SliceCache = LRUCache<string, PageLines[]>

const maxCachedSlices = 32
const decompress = promisify(gunzip)
const groundVariants: ReadonlyMap<string, ChangedGround> = new Map([
  ['.sepia', 'sepia'],
  ['.night', 'night'],
])
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** Pages, thumbnails, covers, the text layer, reflowed text and its pictures, by view key. Access is decided anew for each request. */
export function viewRoutes({ pageImages, contextOf }: Deps): Hono {
  const view = new Hono()
  const slices: SliceCache = new LRUCache({ max: maxCachedSlices })
  // Errors are never cached: what is refused now may be allowed a moment later.
  view.use('/view/*', async (context, next) => {
    context.header('cache-control', 'no-store')
    await next()
  })
  view.use('/view/text/*', compress())
  view.use('/view/reflow/*', compress())
  // Clients put pages into an `<img>`, which shows a picture whatever its status, and nothing of a JSON reply.
  view.use('/view/page/*', async (context, next) => {
    await next()
    const { error, req } = context
    if (!(error instanceof AppError) || error.reason !== errors.documents.unconvertible().reason) return
    if (!req.header('accept')?.startsWith('image/')) return
    const headers = { 'content-type': 'image/svg+xml', 'content-security-policy': imagePolicy }
    context.res = new Response(messagePage(error.message), { status: error.status, headers })
  })

  view.get('/view/page/:key/:file', async (context) => {
    const [, digits = '', variant = ''] =
      /^(\d{1,6})(\.gzip|\.sepia|\.night)?\.svg$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const viewed = await getPage(ctx, context.req.param('key'), digits)
    return serve(ctx, context, { ...viewed, name: `${viewed.page}${variant}.svg` }, async () => {
      const svgz = await pageImages.page(ctx, viewed.rendition, viewed.page, groundVariants.get(variant))
      const type = { 'content-type': 'image/svg+xml', 'content-security-policy': imagePolicy }
      if (variant === '.gzip') return { body: svgz, headers: { ...type, 'content-encoding': 'gzip' } }
      if (acceptsGzip(context))
        return { body: svgz, headers: { ...type, 'content-encoding': 'gzip', vary: 'accept-encoding' } }
      return { body: Uint8Array.from(await decompress(svgz)), headers: { ...type, vary: 'accept-encoding' } }
    })
  })

  view.get('/view/thumb/:key/:file', async (context) => {
    const [, digits = ''] = /^(\d{1,6})\.webp$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const viewed = await getPage(ctx, context.req.param('key'), digits)
    return serve(ctx, context, { ...viewed, name: `${viewed.page}.webp` }, async () => ({
      body: await pageImages.thumbnail(ctx, viewed.rendition, viewed.page),
      headers: { 'content-type': 'image/webp' },
    }))
  })

  view.get('/view/text/:key/:file', async (context) => {
    const [, digits = ''] = /^(\d{1,6})\.json$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const viewed = await getPage(ctx, context.req.param('key'), digits)
    return serve(ctx, context, { ...viewed, name: `${viewed.page}.json` }, async () => ({
      body: new TextEncoder().encode(JSON.stringify(await readPageText(ctx, slices, viewed))),
      headers: { 'content-type': 'application/json' },
    }))
  })

  // A group of pages, named by its first one; it ends where the preview does.
  view.get('/view/reflow/:key/:file', async (context) => {
    const [, digits = ''] = /^(\d{1,6})\.json$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const viewed = await getPage(ctx, context.req.param('key'), digits)
    const { page: from } = viewed
    if (from !== reflowGroupStart(from)) throw errors.documents.pageMissing()
    const to = Math.min(from + pagesPerReflow - 1, countViewable(ctx, viewed))
    const { rendition } = viewed
    const hasAllText = rendition.text_pages >= rendition.pages
    const isFinal = hasAllText && (await hasFinalBlocks(ctx, rendition))
    if (hasAllText && !isFinal) await enqueueBlocks(ctx, rendition)
    const name = `reflow-${from}-${to}${isFinal ? '' : `-${rendition.text_pages}`}`
    return serve(
      ctx,
      context,
      { ...viewed, name, ...(!isFinal && { cacheControl: 'private, no-cache' }) },
      async () => {
        const pages = await readReflow(ctx, slices, viewed, to)
        return {
          body: new TextEncoder().encode(JSON.stringify({ pages })),
          headers: { 'content-type': 'application/json' },
          // The text could not be read this time.
          ...(pages.length === 0 && { cacheControl: 'no-store' }),
        }
      },
    )
  })

  // A picture of the reflowed text, named by its page and its place among the blocks of that page.
  view.get('/view/picture/:key/:file', async (context) => {
    const [, digits = '', index = ''] = /^(\d{1,6})-(\d{1,5})$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const viewed = await getPage(ctx, context.req.param('key'), digits)
    return serve(ctx, context, { ...viewed, name: `picture-${viewed.page}-${index}` }, async () => {
      const picture = await readPicture(ctx, viewed.rendition, { page: viewed.page, index: Number(index) })
      if (!picture) throw errors.documents.pageMissing()
      return {
        body: picture.content,
        headers: { 'content-type': picture.type, 'content-security-policy': imagePolicy },
      }
    })
  })

  view.get('/view/cover/:key', async (context) => {
    const ctx = await contextOf()
    const viewed = await getViewed(ctx, context.req.param('key'))
    return serve(ctx, context, { ...viewed, name: 'cover' }, async () => ({
      body: await pageImages.cover(ctx, viewed.rendition),
      headers: { 'content-type': 'image/webp' },
    }))
  })

  return view
}

/** The rendition behind a view key, if the key, the document and the site allow it at this moment. */
export async function getViewed(ctx: Ctx, viewKey: string): Promise<ViewedRendition> {
  const key = parseViewKey(ctx, viewKey)
  if (!key) throw errors.documents.pageMissing()
  const person = key.sessionId === 0 ? anonymous : await findViewerOfSession(ctx, key.sessionId)
  const viewer = key.shareId === 0 ? person : { ...person, shares: await findLiveShares(ctx, [key.shareId]) }
  admit('public', { ...ctx, viewer })
  const document = await ctx.db
    .selectFrom('document')
    .select(['id', 'hash', 'user_id', 'status', 'visibility', 'deleted_at', 'price', 'is_vip'])
    .where('id', '=', key.id)
    .executeTakeFirst()
  if (!document || !(await canSee({ db: ctx.db, viewer }, document))) throw errors.documents.notFound()
  const rendition = await findRendition(ctx.db, document.hash)
  if (!rendition || rendition.pages === 0) {
    const isFailed = failedStatuses.includes(document.status) || rendition?.state === 'failed'
    throw isFailed ? errors.documents.unconvertible() : errors.documents.notReady()
  }
  const isWhole = readsAll(viewer, { ...document, isPaidFor: await isPaidFor({ ...ctx, viewer }, document) })
  return { key, rendition, isWhole, price: document.price }
}

/** Nothing of a page beyond the preview is given, in any form. */
async function getPage(ctx: Ctx, viewKey: string, digits: string): Promise<ViewedPage> {
  const viewed = await getViewed(ctx, viewKey)
  const page = Number(digits)
  const { pages } = viewed.rendition
  if (page < 1 || page > pages) throw errors.documents.pageMissing()
  if (page > countViewable(ctx, viewed)) throw errors.documents.beyondPreview()
  return { ...viewed, page }
}

function countViewable({ settings }: Ctx, { isWhole, price, rendition: { pages } }: ViewedRendition): number {
  return isWhole ? pages : previewPages({ pages, price }, settings)
}

/** A reader asks for the pages of one slice one after the other. */
async function readCachedSlice(ctx: Ctx, slices: SliceCache, key: string): Promise<PageLines[] | undefined> {
  const cached = slices.get(key)
  if (cached) return cached
  const slice = await readSlice(ctx, key)
  if (slice) slices.set(key, slice)
  return slice
}

async function readPageText(ctx: Ctx, slices: SliceCache, { rendition, page }: ViewedPage) {
  const slice = await readCachedSlice(ctx, slices, textSliceKey(rendition.hash, rendition.revision, page))
  const [lines] =
    slice?.filter((lines) => lines.page === page) ?? (await extractNow(ctx, rendition, { from: page, to: page }))
  // A page without text still has a size.
  const { width, height, lines: textLines } = lines ?? { width: rendition.width, height: rendition.height, lines: [] }
  return { width, height, lines: textLines }
}

async function readReflow(ctx: Ctx, slices: SliceCache, { rendition, page: from }: ViewedPage, to: number) {
  const { hash, revision } = rendition
  return readReflowedPages(ctx, rendition, {
    from,
    to,
    readSlice: (page) => readCachedSlice(ctx, slices, textSliceKey(hash, revision, page)),
    extractNow: () => extractNow(ctx, rendition, { from, to }),
  })
}

/** The reader is ahead of the text extraction. */
async function extractNow(
  ctx: Ctx,
  rendition: Rendition,
  { from, to }: { from: number; to: number },
): Promise<PageLines[]> {
  const source = await findRenderSource(ctx, rendition)
  if (!source) throw errors.documents.fileMissing()
  try {
    return await ctx.converter.extractLines(source, from, to, { priority: RenderPriority.Reader })
  } catch (error) {
    if (error instanceof Unconvertible) return []
    throw error
  }
}

interface ServedFile extends Omit<ViewedRendition, 'isWhole'> {
  /** Tells the files of one rendition apart. */
  name: string
  /** In place of the one that fits its key. */
  cacheControl?: string
}

export async function serve(
  ctx: Ctx,
  context: Context,
  { key, rendition, price, name, ...file }: ServedFile,
  read: () => Promise<FileContent>,
): Promise<Response> {
  const version = imageVersion(ctx, { price }, rendition.revision)
  const etag = `W/"${rendition.hash.slice(0, 16)}-${rendition.revision.toString(36)}-${version}-${name}"`
  const caching = { etag, 'cache-control': file.cacheControl ?? cacheControl(key, version) }
  if (context.req.header('if-none-match')?.includes(etag.slice(2))) return context.body(null, 304, caching)
  const { body, headers, ...content } = await read()
  if (content.cacheControl) caching['cache-control'] = content.cacheControl
  return context.body(body, 200, { ...headers, ...caching, 'content-length': String(body.length) })
}

/**
 * An address with an older version serves the current image, so it must not be cached for long. Shared caches (`s-maxage`)
 * keep nothing for long: it may be withheld one day. What a session or a share link has opened is asked for again, as these
 * may end.
 */
function cacheControl({ sessionId, shareId, revision }: ViewKey, version: number): string {
  if (sessionId !== 0 || shareId !== 0) return 'private, no-cache'
  if (revision !== version) return 'public, max-age=60'
  return 'public, max-age=31536000, s-maxage=3600, immutable'
}

/** A page that says why there is none. */
function messagePage(message: string): string {
  const text = `<text x="297" y="300" font-family="sans-serif" font-size="22" fill="#555" text-anchor="middle">${escapeHtml(message)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842"><path fill="#fff" d="M0 0h595v842H0z"/>${text}</svg>`
}

export function acceptsGzip({ req }: Context): boolean {
  return /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(req.header('accept-encoding') ?? '')
}
