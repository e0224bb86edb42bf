import { type Insertable, sql } from 'kysely'
import { getExt } from '#shared/document-kinds.ts'
import { ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderUrlStatus } from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { type Bit, bit } from '#server/db/tables/column.ts'
import { hashAddress, normalizeAddress } from '../extract/normalize.ts'
import { addToday } from '../spider.counts.ts'
import { writeLog } from '../spider.log.ts'
import { moveUrls } from '../spider.status.ts'
import { enqueueHosts } from './enqueue-hosts.ts'
import { type CrawlSource, staffSource, wantedExts } from './crawl-source.ts'

export interface FoundUrl {
  url: string
  depth: number
  isSitemap?: boolean
}

export interface FoundDocument {
  url: string
  title: string
  description?: string
  keywords?: string
  datedAt?: number | undefined
  categoryIds: readonly number[]
  /** The page on which it was found. */
  urlId: number
}

interface AddedUrls {
  created: number
  known: number
}

/** A sitemap has as many, a page fewer. */
const maxFound = 50_000
/** Bounded by how many parameters a statement may have. */
const batchSize = 500
const maxTitleLength = 255

const isRead: ReadonlySet<SpiderUrlStatus> = new Set([SpiderUrlStatus.Done, SpiderUrlStatus.Failed])

/** Remembers addresses to be read in this run of the source; known ones are kept. In the transaction of what found them. */
export async function addUrls(ctx: Ctx, source: CrawlSource, found: readonly FoundUrl[]): Promise<AddedUrls> {
  const inBounds = found.filter(({ depth, isSitemap }) => isSitemap === true || depth <= source.rule.depth)
  const rows = new Map<string, Insertable<Tables['spider_url']>>()
  for (const { url, depth, isSitemap = false } of inBounds) {
    const address = normalizeAddress(url, url, source.rule.drop_params)
    if (address) rows.set(hashAddress(address), toUrlRow(ctx, source, { address, depth, isSitemap }))
    if (rows.size >= maxFound) break
  }
  await lockAddresses(ctx.db)
  const known = await findKnownUrls(ctx.db, source.id, [...rows.keys()])
  const fresh = [...rows.values()].filter(({ url_hash }) => !known.has(url_hash))
  // Read in an earlier run, and not set pending by the start of this one: the rule was changed.
  const earlier = [...known.values()].filter(({ run, status }) => run < source.run && isRead.has(status))
  if (fresh.length + earlier.length === 0) return { created: 0, known: known.size }
  const room = await roomFor(ctx.db, source, fresh.length + earlier.length)
  const created = await insertUrls(ctx.db, (await withinQueries(ctx.db, source, fresh)).slice(0, room))
  const again = earlier.slice(0, Math.max(0, room - created)).map(({ id, url_hash }) => {
    const { depth = 0, is_sitemap = bit(false) } = rows.get(url_hash) ?? {}
    return { id, depth, is_sitemap }
  })
  await readAgain(ctx, again)
  return { created, known: known.size }
}

async function readAgain(ctx: Ctx, urls: readonly { id: number; depth: number; is_sitemap: Bit }[]): Promise<void> {
  for (const alike of Map.groupBy(urls, ({ depth, is_sitemap }) => `${depth} ${is_sitemap}`).values())
    for (let at = 0; at < alike.length; at += batchSize) {
      const [{ depth, is_sitemap } = { depth: 0, is_sitemap: bit(false) }] = alike
      const ids = alike.slice(at, at + batchSize).map(({ id }) => id)
      await moveUrls(ctx, ids, 'again', { depth, is_sitemap, due_at: ctx.now(), tries: 0, reason: '', detail: '' })
    }
}

function toUrlRow(
  ctx: Ctx,
  { id, userId }: CrawlSource,
  { address, depth, isSitemap }: { address: URL; depth: number; isSitemap: boolean },
) {
  const now = ctx.now()
  return {
    source_id: id,
    url: address.href,
    url_hash: hashAddress(address),
    path_hash: hashAddress(address.origin + address.pathname),
    origin: address.origin,
    depth,
    is_sitemap: bit(isSitemap),
    due_at: now,
    user_id: id === 0 ? userId : 0,
    created_at: now,
    updated_at: now,
  }
}

async function findKnownUrls(db: Db, sourceId: number, hashes: readonly string[]) {
  const known = new Map<string, { id: number; run: number; status: SpiderUrlStatus; url_hash: string }>()
  for (let at = 0; at < hashes.length; at += batchSize) {
    const rows = await db
      .selectFrom('spider_url')
      .select(['id', 'run', 'status', 'url_hash'])
      .where('source_id', '=', sourceId)
      .where('url_hash', 'in', hashes.slice(at, at + batchSize))
      .execute()
    for (const row of rows) known.set(row.url_hash, row)
  }
  return known
}

/** How many more pages this run may read, or that there is room for those that are wanted. */
async function roomFor(db: Db, { id, run, rule }: CrawlSource, wanted: number): Promise<number> {
  if (id === 0) return Infinity
  const counted = db
    .selectFrom('spider_url')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('source_id', '=', id)
  // Of all runs: an index alone tells it.
  const all = await counted.executeTakeFirstOrThrow()
  if (all.count + wanted <= rule.max_pages) return wanted
  const { count } = await counted
    .where((eb) =>
      eb.or([eb('run', '=', run), eb('status', 'in', [SpiderUrlStatus.Pending, SpiderUrlStatus.Crawling])]),
    )
    .executeTakeFirstOrThrow()
  return Math.max(0, rule.max_pages - count)
}

/** Of pages that differ in nothing but their query, as many as the rule allows: a calendar has no end. */
async function withinQueries<R extends Insertable<Tables['spider_url']>>(
  db: Db,
  { id, rule }: CrawlSource,
  rows: readonly R[],
): Promise<R[]> {
  const paths = [...new Set(rows.filter(({ url }) => url.includes('?')).map(({ path_hash }) => path_hash))]
  if (paths.length === 0 || id === 0) return [...rows]
  const counts = new Map<string, number>()
  for (let at = 0; at < paths.length; at += batchSize) {
    const counted = await db
      .selectFrom('spider_url')
      .select(['path_hash', (eb) => eb.fn.countAll<number>().as('count')])
      .where('source_id', '=', id)
      .where('path_hash', 'in', paths.slice(at, at + batchSize))
      .groupBy('path_hash')
      .execute()
    for (const { path_hash, count } of counted) counts.set(path_hash, count)
  }
  return rows.filter(({ url, path_hash }) => {
    const count = counts.get(path_hash) ?? 0
    if (url.includes('?') && count >= rule.max_queries) return false
    counts.set(path_hash, count + 1)
    return true
  })
}

async function insertUrls(db: Db, rows: readonly Insertable<Tables['spider_url']>[]): Promise<number> {
  let created = 0
  for (let at = 0; at < rows.length; at += batchSize) {
    const inserted = await db
      .insertInto('spider_url')
      .values(rows.slice(at, at + batchSize))
      .onConflict((conflict) => conflict.columns(['source_id', 'url_hash']).doNothing())
      .returning('id')
      .execute()
    created += inserted.length
  }
  return created
}

/**
 * Two transactions that insert the same addresses in their own orders could deadlock, and together exceed the bounds of a
 * rule. SQLite has one writer at a time and needs no lock.
 */
export async function lockAddresses(db: Db): Promise<void> {
  if (getEngine(db) === 'postgres') await sql`select pg_advisory_xact_lock(${AdvisoryLock.SpiderAddresses})`.execute(db)
}

/** Remembers files or articles; known ones are kept. In the transaction of what found them. */
export async function addDocuments(
  ctx: Ctx,
  source: CrawlSource,
  found: readonly FoundDocument[],
): Promise<{ ids: number[]; origins: string[] }> {
  const rows = new Map<string, Insertable<Tables['spider_document']>>()
  for (const document of found.slice(0, maxFound)) {
    const address = normalizeAddress(document.url, document.url, source.rule.drop_params)
    if (address && !rows.has(hashAddress(address)))
      rows.set(hashAddress(address), toDocumentRow(ctx, source, document, address))
  }
  await lockAddresses(ctx.db)
  const all = [...rows.values()].slice(0, await roomForDocuments(ctx.db, source))
  const added: { id: number; origin: string }[] = []
  for (let at = 0; at < all.length; at += batchSize)
    added.push(
      ...(await ctx.db
        .insertInto('spider_document')
        .values(all.slice(at, at + batchSize))
        .onConflict((conflict) => conflict.column('url_hash').doNothing())
        .returning(['id', 'origin'])
        .execute()),
    )
  await writeLog(ctx, ...added.map(({ id }) => ({ spider_document_id: id, event: 'found' as const })))
  await addToday(ctx, { found: added.length })
  return { ids: added.map(({ id }) => id), origins: [...new Set(added.map(({ origin }) => origin))] }
}

/** How many more documents the source may have. */
async function roomForDocuments(db: Db, { id, rule }: CrawlSource): Promise<number> {
  if (id === 0) return Infinity
  const { count } = await db
    .selectFrom('spider_document')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('source_id', '=', id)
    .executeTakeFirstOrThrow()
  return Math.max(0, rule.max_documents - count)
}

export interface StaffUrls {
  created: number
  known: number
  /** Those that cannot be crawled. */
  wrong: string[]
}

/**
 * Addresses that staff have entered: of a page the documents are found, one that is a file becomes a document itself. What
 * is done with them is decided by hand.
 */
export function addStaffUrls(ctx: Ctx, addresses: readonly string[], userId: number): Promise<StaffUrls> {
  return transaction(ctx, async (ctx) => {
    const wrong: string[] = []
    const valid = new Map<string, URL>()
    for (const address of addresses) {
      const url = normalizeAddress(address, address, [])
      if (url) valid.set(url.href, url)
      else wrong.push(address)
    }
    const source = staffSource(userId, '')
    const exts = wantedExts(ctx, source.rule)
    const { files = [], pages = [] } = Object.groupBy(valid.values(), (url) =>
      exts.includes(getExt(url.pathname)) ? 'files' : 'pages',
    )
    const urls = await addUrls(
      ctx,
      source,
      pages.map(({ href }) => ({ url: href, depth: 0 })),
    )
    const documents = await addDocuments(
      ctx,
      source,
      files.map(({ href }) => ({ url: href, title: '', categoryIds: [], urlId: 0 })),
    )
    await enqueueHosts(
      ctx,
      pages.map((url) => url.origin),
    )
    const created = urls.created + documents.ids.length
    return { created, known: valid.size - created, wrong }
  })
}

function toDocumentRow(
  ctx: Ctx,
  { id, target, userId, rule }: CrawlSource,
  { title, description = '', keywords = '', datedAt, categoryIds, urlId }: FoundDocument,
  address: URL,
) {
  const now = ctx.now()
  return {
    source_id: id,
    url_id: urlId,
    target,
    url: address.href,
    url_hash: hashAddress(address),
    origin: address.origin,
    status: rule.auto_download ? SpiderDocumentStatus.DownloadQueue : SpiderDocumentStatus.PendingDownload,
    due_at: now,
    title: title.slice(0, maxTitleLength).toWellFormed(),
    description,
    keywords,
    language: rule.language,
    price: rule.price,
    category_ids: JSON.stringify(categoryIds),
    dated_at: datedAt ?? null,
    user_id: userId,
    source_name: rule.source_name,
    ext: target === ContentType.Document ? getExt(address.pathname) : '',
    created_at: now,
    updated_at: now,
  }
}
