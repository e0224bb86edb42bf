import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { errors } from '#shared/errors.ts'
import { previewPages } from '#shared/preview.ts'
import type { Ctx } from '#server/context.ts'
import { type PageLines, Unconvertible } from '#server/convert/converter.ts'
import { linesKey } from '#server/modules/renditions/storage-keys.ts'
import { pictureRevision, readViewKey, type ViewKey } from '../documents.keys.ts'
import type { Pictures } from '#server/modules/renditions/page-images.ts'
import { isPublic } from '../documents.policy.ts'
import { findBook, findRendition, type Rendition } from '#server/modules/renditions/renditions.queries.ts'
import { readSlice } from '#server/modules/renditions/page-text.ts'

interface ViewParts {
  pictures: Pictures
  /** Nobody in particular asks: the key in the address is all that counts. */
  contextOf: () => Promise<Ctx>
}

interface Shown {
  key: ViewKey
  rendition: Rendition
}

interface Served {
  body: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

type Slices = Map<string, PageLines[]>

const mostSlices = 32
const inflate = promisify(gunzip)
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** Pages, thumbnails, covers and the text over the pages, by view key. Each request is judged by what holds now. */
export function viewRoutes({ pictures, contextOf }: ViewParts): Hono {
  const view = new Hono()
  const slices: Slices = new Map()
  // Refusals are never kept: what is refused now may be allowed a moment later.
  view.use('/view/*', async (context, next) => {
    context.header('cache-control', 'no-store')
    await next()
  })
  view.use('/view/text/*', compress())

  view.get('/view/page/:key/:file', async (context) => {
    const [, digits = '', gzipped = ''] = /^(\d{1,6})(\.gzip)?\.svg$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const shown = await pageOf(ctx, context.req.param('key'), digits)
    return serve(ctx, context, { ...shown, name: `${shown.page}${gzipped}.svg` }, async () => {
      const svgz = await pictures.page(ctx, shown.rendition, shown.page)
      const type = { 'content-type': 'image/svg+xml', 'content-security-policy': picturePolicy }
      if (gzipped) return { body: svgz, headers: { ...type, 'content-encoding': 'gzip' } }
      if (takesGzip(context))
        return { body: svgz, headers: { ...type, 'content-encoding': 'gzip', vary: 'accept-encoding' } }
      return { body: Uint8Array.from(await inflate(svgz)), headers: { ...type, vary: 'accept-encoding' } }
    })
  })

  view.get('/view/thumb/:key/:file', async (context) => {
    const [, digits = ''] = /^(\d{1,6})\.webp$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const shown = await pageOf(ctx, context.req.param('key'), digits)
    return serve(ctx, context, { ...shown, name: `${shown.page}.webp` }, async () => ({
      body: await pictures.thumb(ctx, shown.rendition, shown.page),
      headers: { 'content-type': 'image/webp' },
    }))
  })

  view.get('/view/text/:key/:file', async (context) => {
    const [, digits = ''] = /^(\d{1,6})\.json$/.exec(context.req.param('file')) ?? []
    const ctx = await contextOf()
    const shown = await pageOf(ctx, context.req.param('key'), digits)
    return serve(ctx, context, { ...shown, name: `${shown.page}.json` }, async () => ({
      body: new TextEncoder().encode(JSON.stringify(await textOf(ctx, slices, shown))),
      headers: { 'content-type': 'application/json' },
    }))
  })

  view.get('/view/cover/:key', async (context) => {
    const ctx = await contextOf()
    const shown = await look(ctx, context.req.param('key'))
    return serve(ctx, context, { ...shown, name: 'cover' }, async () => ({
      body: await pictures.cover(ctx, shown.rendition),
      headers: { 'content-type': 'image/webp' },
    }))
  })

  return view
}

/** The document behind a key, if the key and the document's state allow it at this moment. */
async function look(ctx: Ctx, given: string): Promise<Shown> {
  const key = readViewKey(ctx, given)
  if (!key) throw errors.documents.pageMissing()
  const document = await ctx.db
    .selectFrom('document')
    .select(['hash', 'status', 'deleted_at'])
    .where('id', '=', key.id)
    .executeTakeFirst()
  if (!document || document.deleted_at !== null) throw errors.documents.notFound()
  const { is_close, login_required } = ctx.settings.security
  if (is_close && !key.staff) throw errors.access.siteClosed()
  if (login_required && key.scope === 'public') throw errors.access.loginNeeded()
  // Its owner's key and the staff's are for what others may not see.
  if (!isPublic(document) && key.scope !== 'whole' && !key.staff) throw errors.documents.notFound()
  const rendition = await findRendition(ctx.db, document.hash)
  if (!rendition || rendition.pages === 0) throw errors.documents.notReady()
  return { key, rendition }
}

/** Beyond the preview nothing of a page is given, in no form. */
async function pageOf(ctx: Ctx, given: string, digits: string): Promise<Shown & { page: number }> {
  const shown = await look(ctx, given)
  const page = Number(digits)
  const { pages } = shown.rendition
  if (page < 1 || page > pages) throw errors.documents.pageMissing()
  if (shown.key.scope !== 'whole' && page > previewPages(pages, ctx.settings.converter))
    throw errors.documents.beyondPreview()
  return { ...shown, page }
}

/** Who reads on asks for the pages of one slice, one after the other: the latest slices stay at hand. */
async function sliceOf(ctx: Ctx, slices: Slices, key: string): Promise<PageLines[] | undefined> {
  const known = slices.get(key)
  if (known) return known
  const slice = await readSlice(ctx, key)
  if (!slice) return undefined
  const [oldest] = slices.keys()
  if (oldest !== undefined && slices.size >= mostSlices) slices.delete(oldest)
  slices.set(key, slice)
  return slice
}

async function textOf(ctx: Ctx, slices: Slices, { rendition, page }: Shown & { page: number }) {
  const slice = await sliceOf(ctx, slices, linesKey(rendition.hash, rendition.revision, page))
  const [read] = slice?.filter((lines) => lines.page === page) ?? (await readAlone(ctx, rendition, page))
  // A page that could not be read has no words, but a place.
  const { width, height, lines } = read ?? { width: rendition.width, height: rendition.height, lines: [] }
  return { width, height, lines }
}

/** Somebody is faster than the reading of the whole. */
async function readAlone(ctx: Ctx, rendition: Rendition, page: number): Promise<PageLines[]> {
  const book = await findBook(ctx, rendition)
  if (!book) throw errors.documents.fileMissing()
  try {
    return await ctx.converter.lines(book, page, page, { urgency: 0 })
  } catch (error) {
    if (error instanceof Unconvertible) return []
    throw error
  }
}

async function serve(
  ctx: Ctx,
  context: Context,
  { key, rendition, name }: Shown & { name: string },
  make: () => Promise<Served>,
): Promise<Response> {
  const look = pictureRevision(ctx, rendition.revision)
  const etag = `W/"${rendition.hash.slice(0, 16)}-${rendition.revision.toString(36)}-${look}-${name}"`
  const caching = { etag, 'cache-control': cachingOf(key, { look, name }) }
  if (context.req.header('if-none-match')?.includes(etag.slice(2))) return context.body(null, 304, caching)
  const { body, headers } = await make()
  return context.body(body, 200, { ...headers, ...caching, 'content-length': String(body.length) })
}

/**
 * An address with an older look keeps working, and shows the new one; it just cannot be kept for ever. What is between us
 * and everybody keeps no page for long: it may be withheld one day.
 */
function cachingOf({ scope, revision }: ViewKey, { look, name }: { look: number; name: string }): string {
  if (scope !== 'public') return 'private, max-age=600'
  if (revision !== look) return 'public, max-age=60'
  return name === 'cover' ? 'public, max-age=31536000, immutable' : 'public, max-age=31536000, s-maxage=3600, immutable'
}

function takesGzip({ req }: Context): boolean {
  return /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(req.header('accept-encoding') ?? '')
}
