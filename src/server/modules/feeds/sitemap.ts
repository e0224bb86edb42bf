import { type SelectQueryBuilder, sql } from 'kysely'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import type { sitemaps } from '#shared/contract/system.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { escapeXml } from '#server/convert/formats/epub.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler } from '#server/jobs/worker.ts'

/** So many ids to a part: a part never has more addresses, and an address never moves to another. */
const perPart = 10_000
const rowsAtOnce = 1000

interface Address {
  path: string
  at?: number
}

interface Listed extends Address {
  id: number
  at: number
}

/** The ids after one and up to another. */
interface Stretch {
  after: number
  last: number
}

interface Kind {
  read(db: Db, stretch: Stretch, limit: number): Promise<Listed[]>
  count(db: Db, stretch: Stretch): Promise<number>
}

/** What everybody may see. The sign keeps SQLite on the way along the ids. */
const documentsIn = (db: Db, { after, last }: Stretch) =>
  db
    .selectFrom('document')
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('deleted_at', 'is', null)
    .where(sql<number>`+status`, 'in', [...publicStatuses])

const articlesIn = (db: Db, { after, last }: Stretch) =>
  db
    .selectFrom('article')
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('deleted_at', 'is', null)
    .where(sql<number>`+status`, '=', 1)

const kinds: Record<string, Kind> = {
  documents: {
    async read(db, stretch, limit) {
      const query = documentsIn(db, stretch).select(['id', 'uuid', 'updated_at'])
      const rows = await query.orderBy('id').limit(limit).execute()
      return rows.map(({ id, uuid, updated_at }) => ({ id, path: `/document/${uuid}`, at: updated_at }))
    },
    count: (db, stretch) => countOf(documentsIn(db, stretch)),
  },
  articles: {
    async read(db, stretch, limit) {
      const query = articlesIn(db, stretch).select(['id', 'identifier', 'updated_at'])
      const rows = await query.orderBy('id').limit(limit).execute()
      return rows.map(({ id, identifier, updated_at }) => ({
        id,
        path: `/article/${encodeURIComponent(identifier)}`,
        at: updated_at,
      }))
    },
    count: (db, stretch) => countOf(articlesIn(db, stretch)),
  },
}

async function countOf<T extends keyof Tables>(query: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}

/** The addresses that search engines should know. A site that is not open to all has none. */
export function sitemapRoutes({ contextOf }: { contextOf: () => Promise<Ctx> }): Hono {
  const sitemap = new Hono()
  sitemap.use('/sitemap.xml', compress())
  sitemap.use('/sitemap/*', compress())
  const serve = async (context: Context, tag: 'sitemap' | 'url', read: (db: Db) => Promise<Address[]>) => {
    const { db, settings } = await contextOf()
    const addresses = isOpen(settings) ? await read(db) : []
    if (addresses.length === 0) return context.notFound()
    const xml = xmlOf(tag, addresses, settings.system.domain || new URL(context.req.url).origin)
    return context.body(xml, 200, { 'content-type': 'application/xml; charset=utf-8' })
  }
  sitemap.get('/sitemap.xml', (context) => serve(context, 'sitemap', partsOf))
  sitemap.get('/sitemap/pages.xml', (context) => serve(context, 'url', pagesOf))
  sitemap.get('/sitemap/:file', (context) => {
    const [, kind = '', part = ''] = /^(documents|articles)-([1-9]\d{0,9})\.xml$/.exec(context.req.param('file')) ?? []
    return serve(context, 'url', (db) => addressesIn(db, kind, Number(part)))
  })
  return sitemap
}

/** What is listed is read when it is asked for, so there is nothing to write anew: only to count. */
export const sitemapHandlers: Handlers<typeof sitemaps> = {
  async renew(ctx) {
    return { total: await countAddresses(ctx) }
  },
}

export const sitemapJobs: Record<string, JobHandler> = {
  'sitemap.check': async (ctx) => {
    const total = await countAddresses(ctx)
    ctx.log.info({ total }, 'the sitemap is complete')
  },
}

export const sitemapSchedules: Schedule[] = [{ kind: 'sitemap.check', everyMs: 24 * 60 * 60_000 }]

/** How many addresses search engines find in all parts together. Counted part by part: others are served in between. */
async function countAddresses({ db, settings }: Ctx): Promise<number> {
  if (!isOpen(settings)) return 0
  let total = 0
  for (const { path } of await partsOf(db)) {
    const [, kind = '', part = ''] = /(\w+)-(\d+)\.xml$/.exec(path) ?? []
    total += (await kinds[kind]?.count(db, stretchOf(Number(part)))) ?? (await pagesOf(db)).length
  }
  return total
}

function stretchOf(part: number): Stretch {
  return { after: (part - 1) * perPart, last: part * perPart }
}

function isOpen({ security }: Settings): boolean {
  return !security.is_close && !security.login_required
}

/** Those with something in them. */
async function partsOf(db: Db): Promise<Address[]> {
  const parts: Address[] = [{ path: '/sitemap/pages.xml' }]
  for (const [kind, { read }] of Object.entries(kinds)) {
    const nextFrom = async (after: number) => (await read(db, { after, last: Number.MAX_SAFE_INTEGER }, 1)).at(0)?.id
    for (let id = await nextFrom(0); id !== undefined;) {
      const part = Math.ceil(id / perPart)
      parts.push({ path: `/sitemap/${kind}-${part}.xml` })
      id = await nextFrom(part * perPart)
    }
  }
  return parts
}

async function pagesOf(db: Db): Promise<Address[]> {
  const categories = await db
    .selectFrom('category')
    .select(['id', 'type'])
    .where('enable', '=', 1)
    .orderBy('id')
    .limit(perPart)
    .execute()
  const ofCategories = categories.map(({ id, type }) => (type === 0 ? `/category/${id}` : `/article?category_id=${id}`))
  return ['/', '/category', '/article', ...ofCategories].map((path) => ({ path }))
}

/** Read a little at a time: others are served in between. */
async function addressesIn(db: Db, kind: string, part: number): Promise<Address[]> {
  const addresses: Listed[] = []
  const { after: first, last } = stretchOf(part)
  for (let after = first; after < last;) {
    const rows = (await kinds[kind]?.read(db, { after, last }, rowsAtOnce)) ?? []
    addresses.push(...rows)
    after = rows.length < rowsAtOnce ? last : (rows.at(-1)?.id ?? last)
  }
  return addresses
}

function xmlOf(tag: 'sitemap' | 'url', addresses: readonly Address[], origin: string): string {
  const rows = addresses.map(({ path, at }) => {
    const changed = at === undefined ? '' : `<lastmod>${new Date(at).toISOString()}</lastmod>`
    return `<${tag}><loc>${escapeXml(new URL(path, origin).href)}</loc>${changed}</${tag}>`
  })
  const root = tag === 'url' ? 'urlset' : 'sitemapindex'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join('\n')}\n</${root}>\n`
}
