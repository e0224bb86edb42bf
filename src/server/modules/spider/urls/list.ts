import type { spiderUrls } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { SpiderUrlStatus } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, within } from '#server/db/list.ts'
import { findSourceNames } from '../sources/sources.queries.ts'
import { findBlock } from '../spider.enabled.ts'
import { listLog } from '../spider.log.ts'
import { countByStatus } from '../spider.status-counts.ts'
import { toUrlCounts } from './url-counts.ts'

const columns = [
  'id',
  'source_id',
  'url',
  'title',
  'depth',
  'status',
  'reason',
  'detail',
  'http_status',
  'tries',
  'due_at',
  'fetched_at',
  'created_at',
] as const

/** The counts are those of the chosen sources, whatever else the list is filtered by. */
export async function listUrls(
  ctx: Ctx,
  { status, source_id, created_at, ...request }: Input<typeof spiderUrls.list>,
): Promise<Reply<typeof spiderUrls.list>> {
  let query = ctx.db.selectFrom('spider_url').select(columns).where(within('created_at', created_at))
  if (status.length > 0) query = query.where('status', 'in', status)
  if (source_id.length > 0) query = query.where('source_id', 'in', source_id)
  const { total, rows } = await listRows(query, request, {
    search: ['url', 'title'],
    order: [['id', 'desc']],
    sortable: ['created_at', 'fetched_at', 'depth', 'tries'],
    nullable: ['fetched_at'],
    sizes: { min: 1, max: 1000, default: 20 },
  })
  const [names, counts] = await Promise.all([
    findSourceNames(
      ctx.db,
      rows.map((row) => row.source_id),
    ),
    countByStatus(ctx, 'spider_url', source_id),
  ])
  const url = rows.map((row) => ({
    ...row,
    source_name: names.get(row.source_id) ?? '',
    due_at: row.status === SpiderUrlStatus.Pending && row.due_at > 0 ? row.due_at : null,
  }))
  return { total, url, count: toUrlCounts(counts), block: await findBlock(ctx) }
}

export async function listUrlLog(
  ctx: Ctx,
  { id }: Input<typeof spiderUrls.log>,
): Promise<Reply<typeof spiderUrls.log>> {
  const row = await ctx.db.selectFrom('spider_url').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.spider.urlNotFound()
  return listLog(ctx, 'url_id', id)
}
