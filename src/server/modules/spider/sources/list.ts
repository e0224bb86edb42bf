import { sql } from 'kysely'
import type { SpiderSource, spiderSources } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'
import { listRows } from '#server/db/list.ts'
import { findUsernames } from '#server/modules/users/users.queries.ts'
import { isQuiet } from '../crawl/schedule.ts'
import { findBlock } from '../spider.enabled.ts'
import { countBySource, sumByStatus } from '../spider.status-counts.ts'
import { toUrlCounts } from '../urls/url-counts.ts'
import { readRule } from './rule.ts'
import { getSourceRow, type SourceRow } from './sources.queries.ts'

export async function listSources(
  ctx: Ctx,
  { state, target, ...request }: Input<typeof spiderSources.list>,
): Promise<Reply<typeof spiderSources.list>> {
  let query = ctx.db
    .selectFrom((eb) =>
      eb.selectFrom('spider_source').selectAll().select(startAddresses(ctx.db).as('start')).as('spider_source'),
    )
    .selectAll()
  if (state.length > 0) query = query.where('state', 'in', state)
  if (target.length > 0) query = query.where('target', 'in', target)
  const { total, rows } = await listRows(query, request, {
    search: ['name', 'start'],
    order: [['id', 'desc']],
    sortable: ['name', 'created_at', 'started_at', 'finished_at', 'next_run_at'],
    nullable: ['started_at', 'finished_at', 'next_run_at'],
    sizes: { min: 1, max: 1000, default: 20 },
  })
  return { total, source: await presentSources(ctx, rows), block: await findBlock(ctx) }
}

export async function getSource(ctx: Ctx, { id }: Input<typeof spiderSources.get>): Promise<SpiderSource> {
  const [source] = await presentSources(ctx, [await getSourceRow(ctx.db, id)])
  if (!source) throw errors.spider.sourceNotFound()
  return source
}

function startAddresses(db: Db) {
  return getEngine(db) === 'postgres' ? sql<string>`rule::json ->> 'start'` : sql<string>`json_extract(rule, '$.start')`
}

const { Downloaded, DownloadFailed, PublishQueue, Publishing, Published, PublishFailed } = SpiderDocumentStatus
const afterDownload = [Downloaded, PublishQueue, Publishing, Published, PublishFailed]

async function presentSources(ctx: Ctx, rows: readonly SourceRow[]): Promise<SpiderSource[]> {
  const ids = rows.map(({ id }) => id)
  const [usernames, urls, documents] = await Promise.all([
    findUsernames(
      ctx.db,
      rows.map(({ user_id }) => user_id),
    ),
    countBySource(ctx, 'spider_url', ids),
    countBySource(ctx, 'spider_document', ids),
  ])
  const urlsOf = Map.groupBy(urls, ({ source_id }) => source_id)
  const documentsOf = Map.groupBy(documents, ({ source_id }) => source_id)
  return rows.map((row) => {
    const counts = sumByStatus(documentsOf.get(row.id) ?? [])
    const sum = (statuses: Iterable<number>) => [...statuses].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0)
    const rule = readRule(row)
    return {
      ...rule,
      id: row.id,
      name: row.name,
      target: row.target,
      enable: row.enable === 1,
      user_id: row.user_id,
      username: usernames.get(row.user_id) ?? '',
      state: row.state,
      run: row.run,
      started_at: row.started_at,
      finished_at: row.finished_at,
      next_run_at: row.next_run_at,
      is_quiet: isQuiet(rule, ctx.now()),
      url_count: toUrlCounts(sumByStatus(urlsOf.get(row.id) ?? [])),
      found: sum(counts.keys()),
      downloaded: sum(afterDownload),
      published: sum([Published]),
      failed: sum([DownloadFailed, PublishFailed]),
      created_at: row.created_at,
    }
  })
}
