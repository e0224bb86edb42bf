import type { Selectable } from 'kysely'
import type { SpiderDocument, spiderDocuments } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, within } from '#server/db/list.ts'
import type { Tables } from '#server/db/tables.ts'
import { findUsernames } from '#server/modules/users/users.queries.ts'
import { findSourceNames } from '../sources/sources.queries.ts'
import { findBlock } from '../spider.enabled.ts'
import { listLog } from '../spider.log.ts'
import { countByStatus } from '../spider.status-counts.ts'
import { readCategories } from './categories.ts'

/** All but the text of articles, which may be long. */
const columns = [
  'id',
  'source_id',
  'source_name',
  'url_id',
  'target',
  'url',
  'status',
  'reason',
  'detail',
  'http_status',
  'title',
  'description',
  'keywords',
  'language',
  'price',
  'category_ids',
  'user_id',
  'name',
  'ext',
  'size',
  'document_id',
  'article_id',
  'dated_at',
  'downloaded_at',
  'published_at',
  'due_at',
  'created_at',
] as const
type Row = Pick<Selectable<Tables['spider_document']>, (typeof columns)[number]>

/** The counts are those of the chosen sources, whatever else the list is filtered by. */
export async function listDocuments(
  ctx: Ctx,
  { status, target, source_id, created_at, ...request }: Input<typeof spiderDocuments.list>,
): Promise<Reply<typeof spiderDocuments.list>> {
  let query = ctx.db.selectFrom('spider_document').select(columns).where(within('created_at', created_at))
  if (status.length > 0) query = query.where('status', 'in', status)
  if (target.length > 0) query = query.where('target', 'in', target)
  if (source_id.length > 0) query = query.where('source_id', 'in', source_id)
  const { total, rows } = await listRows(query, request, {
    search: ['url', 'title', 'name'],
    order: [['id', 'desc']],
    sortable: ['created_at', 'downloaded_at', 'published_at', 'dated_at', 'size', 'price'],
    nullable: ['downloaded_at', 'published_at', 'dated_at'],
    sizes: { min: 1, max: 1000, default: 20 },
  })
  const [document, counts] = await Promise.all([
    presentDocuments(ctx, rows),
    countByStatus(ctx, 'spider_document', source_id),
  ])
  return { total, document, count: Object.fromEntries(counts), block: await findBlock(ctx) }
}

export async function listDocumentLog(
  ctx: Ctx,
  { id }: Input<typeof spiderDocuments.log>,
): Promise<Reply<typeof spiderDocuments.log>> {
  const row = await ctx.db.selectFrom('spider_document').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.spider.documentNotFound()
  return listLog(ctx, 'spider_document_id', id)
}

async function presentDocuments({ db }: Ctx, rows: readonly Row[]): Promise<SpiderDocument[]> {
  const idsOf = (column: 'source_id' | 'user_id' | 'url_id' | 'document_id' | 'article_id') =>
    rows.map((row) => row[column])
  const [sources, usernames, pages, documents, articles] = await Promise.all([
    findSourceNames(db, idsOf('source_id')),
    findUsernames(db, idsOf('user_id')),
    findPages(db, idsOf('url_id')),
    findDocumentPaths(db, idsOf('document_id')),
    findArticlePaths(db, idsOf('article_id')),
  ])
  return rows.map(({ category_ids, url_id, document_id, article_id, ...row }) => ({
    ...row,
    // A source that was deleted is remembered by the name that readers see.
    source_name: sources.get(row.source_id) ?? row.source_name,
    found_at: pages.get(url_id) ?? '',
    due_at: row.status === SpiderDocumentStatus.DownloadQueue && row.reason !== '' ? row.due_at : null,
    category_id: readCategories({ category_ids }),
    username: usernames.get(row.user_id) ?? '',
    href: documents.get(document_id) ?? articles.get(article_id) ?? '',
  }))
}

async function findPages(db: Ctx['db'], ids: readonly number[]): Promise<Map<number, string>> {
  const known = toIds(ids)
  if (known.length === 0) return new Map()
  const rows = await db.selectFrom('spider_url').select(['id', 'url']).where('id', 'in', known).execute()
  return new Map(rows.map(({ id, url }) => [id, url]))
}

async function findDocumentPaths(db: Ctx['db'], ids: readonly number[]): Promise<Map<number, string>> {
  const known = toIds(ids)
  if (known.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .select(['id', 'uuid'])
    .where('id', 'in', known)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, uuid }) => [id, `/document/${uuid}`]))
}

async function findArticlePaths(db: Ctx['db'], ids: readonly number[]): Promise<Map<number, string>> {
  const known = toIds(ids)
  if (known.length === 0) return new Map()
  const rows = await db
    .selectFrom('article')
    .select(['id', 'identifier'])
    .where('id', 'in', known)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, identifier }) => [id, `/article/${encodeURIComponent(identifier)}`]))
}

function toIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].filter((id) => id > 0)
}
