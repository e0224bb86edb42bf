import { CollectionVisibility } from '#shared/collections.ts'
import { ContentType, ReviewStatus, Visibility } from '#shared/enums.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import type { sitemaps } from '#shared/contract/feeds.ts'
import { publicStatuses } from '#shared/document-status.ts'
import { isOpenSite } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { escapeXml } from '#server/convert/xml.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'

/** A part covers a fixed range of ids: it never outgrows the limit, and a URL never moves to another part. */
const idsPerPart = 10_000
const batchSize = 1000

interface SitemapUrl {
  path: string
  lastModified?: number
}

interface SitemapRow extends SitemapUrl {
  id: number
  lastModified: number
}

interface IdRange {
  /** Exclusive. */
  after: number
  /** Inclusive. */
  last: number
}

interface Kind {
  read(db: Db, range: IdRange, limit: number): Promise<SitemapRow[]>
  count(db: Db, range: IdRange): Promise<number>
}

/** Public documents. The unary plus keeps SQLite on the index over the ids. */
const selectDocuments = (db: Db, { after, last }: IdRange) =>
  db
    .selectFrom('document')
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('deleted_at', 'is', null)
    .where(sql<number>`+status`, 'in', [...publicStatuses])
    .where('visibility', '=', Visibility.Public)

const selectArticles = (db: Db, { after, last }: IdRange) =>
  db
    .selectFrom('article')
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('deleted_at', 'is', null)
    .where(sql<number>`+status`, '=', ReviewStatus.Approved)

const kinds: Record<string, Kind> = {
  documents: {
    async read(db, range, limit) {
      const query = selectDocuments(db, range).select(['id', 'uuid', 'updated_at'])
      const rows = await query.orderBy('id').limit(limit).execute()
      return rows.map(({ id, uuid, updated_at }) => ({ id, path: `/document/${uuid}`, lastModified: updated_at }))
    },
    count: (db, range) => countRows(selectDocuments(db, range)),
  },
  articles: {
    async read(db, range, limit) {
      const query = selectArticles(db, range).select(['id', 'identifier', 'updated_at'])
      const rows = await query.orderBy('id').limit(limit).execute()
      return rows.map(({ id, identifier, updated_at }) => ({
        id,
        path: `/article/${encodeURIComponent(identifier)}`,
        lastModified: updated_at,
      }))
    },
    count: (db, range) => countRows(selectArticles(db, range)),
  },
  collections: {
    async read(db, range, limit) {
      const query = selectCollections(db, range).select(['id', 'uuid', 'updated_at'])
      const rows = await query.orderBy('id').limit(limit).execute()
      return rows.map(({ id, uuid, updated_at }) => ({ id, path: `/collection/${uuid}`, lastModified: updated_at }))
    },
    count: (db, range) => countRows(selectCollections(db, range)),
  },
}

const selectCollections = (db: Db, { after, last }: IdRange) =>
  db
    .selectFrom('collection')
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('visibility', '=', CollectionVisibility.Public)
    .where('status', '=', ReviewStatus.Approved)
    .where('item_count', '>', 0)

async function countRows<T extends keyof Tables>(query: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}

/** The URLs for search engines. A closed site has none. */
export function sitemapRoutes({ contextOf }: { contextOf: () => Promise<Ctx> }): Hono {
  const sitemap = new Hono()
  sitemap.use('/sitemap.xml', compress())
  sitemap.use('/sitemap/*', compress())
  const serve = async (context: Context, tag: 'sitemap' | 'url', find: (db: Db) => Promise<SitemapUrl[]>) => {
    const { db, settings } = await contextOf()
    const urls = isOpenSite(settings) ? await find(db) : []
    if (urls.length === 0) return context.notFound()
    const xml = renderXml(tag, urls, settings.system.domain)
    return context.body(xml, 200, { 'content-type': 'application/xml; charset=utf-8' })
  }
  sitemap.get('/sitemap.xml', (context) => serve(context, 'sitemap', findParts))
  sitemap.get('/sitemap/pages.xml', (context) => serve(context, 'url', findPages))
  sitemap.get('/sitemap/:file', (context) => {
    const [, kind = '', part = ''] =
      /^(documents|articles|collections)-([1-9]\d{0,9})\.xml$/.exec(context.req.param('file')) ?? []
    return serve(context, 'url', (db) => findUrls(db, kind, Number(part)))
  })
  return sitemap
}

/** Sitemaps are rendered on request, so there is nothing to regenerate: only to count. */
export const sitemapHandlers: Handlers<typeof sitemaps> = {
  async check(ctx) {
    return { total: await countUrls(ctx) }
  },
}

export const sitemapJobs = {
  'feeds.check-sitemap': async (ctx) => {
    const total = await countUrls(ctx)
    ctx.log.info({ total }, 'the sitemap is complete')
  },
} satisfies Partial<JobHandlers>

export const sitemapSchedules: JobSchedule[] = [{ kind: 'feeds.check-sitemap', everyMs: 24 * 60 * 60_000 }]

/** Counted part by part: other requests are served in between. */
async function countUrls({ db, settings }: Ctx): Promise<number> {
  if (!isOpenSite(settings)) return 0
  let total = 0
  for (const { path } of await findParts(db)) {
    const [, kind = '', part = ''] = /(\w+)-(\d+)\.xml$/.exec(path) ?? []
    total += (await kinds[kind]?.count(db, rangeOfPart(Number(part)))) ?? (await findPages(db)).length
  }
  return total
}

function rangeOfPart(part: number): IdRange {
  return { after: (part - 1) * idsPerPart, last: part * idsPerPart }
}

/** The parts that are not empty. */
async function findParts(db: Db): Promise<SitemapUrl[]> {
  const parts: SitemapUrl[] = [{ path: '/sitemap/pages.xml' }]
  for (const [kind, { read }] of Object.entries(kinds)) {
    const nextFrom = async (after: number) => (await read(db, { after, last: Number.MAX_SAFE_INTEGER }, 1)).at(0)?.id
    for (let id = await nextFrom(0); id !== undefined;) {
      const part = Math.ceil(id / idsPerPart)
      parts.push({ path: `/sitemap/${kind}-${part}.xml` })
      id = await nextFrom(part * idsPerPart)
    }
  }
  return parts
}

async function findPages(db: Db): Promise<SitemapUrl[]> {
  const categories = await db
    .selectFrom('category')
    .select(['id', 'type'])
    .where('enable', '=', 1)
    .orderBy('id')
    .limit(idsPerPart)
    .execute()
  const categoryPaths = categories.map(({ id, type }) =>
    type === ContentType.Document ? `/category/${id}` : `/article?category_id=${id}`,
  )
  const topics = await db
    .selectFrom('topic')
    .select(['id', 'updated_at'])
    .where('enable', '=', 1)
    .orderBy('id')
    .execute()
  return [
    ...['/', '/category', '/article', '/ranking', ...categoryPaths].map((path) => ({ path })),
    ...(topics.length > 0 ? [{ path: '/topic' }] : []),
    ...topics.map(({ id, updated_at }) => ({ path: `/topic/${id}`, lastModified: updated_at })),
  ]
}

/** Read in batches: other requests are served in between. */
async function findUrls(db: Db, kind: string, part: number): Promise<SitemapUrl[]> {
  const urls: SitemapRow[] = []
  const { after: first, last } = rangeOfPart(part)
  for (let after = first; after < last;) {
    const rows = (await kinds[kind]?.read(db, { after, last }, batchSize)) ?? []
    urls.push(...rows)
    after = rows.length < batchSize ? last : (rows.at(-1)?.id ?? last)
  }
  return urls
}

/** Search engines want full addresses. Without a domain they are relative: the host of a request may be forged. */
function renderXml(tag: 'sitemap' | 'url', urls: readonly SitemapUrl[], domain: string): string {
  const rows = urls.map(({ path, lastModified }) => {
    const lastmod = lastModified === undefined ? '' : `<lastmod>${new Date(lastModified).toISOString()}</lastmod>`
    return `<${tag}><loc>${escapeXml(domain ? new URL(path, domain).href : path)}</loc>${lastmod}</${tag}>`
  })
  const root = tag === 'url' ? 'urlset' : 'sitemapindex'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join('\n')}\n</${root}>\n`
}
