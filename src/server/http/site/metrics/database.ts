import { sql } from 'kysely'
import { findLastBackup } from '#server/backup/last-backup.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'
import type { Logger } from '#server/log.ts'
import type { Metric, Sample } from './text-format.ts'

/** Results are cached for so long, whatever the scrape interval; sums over a whole table for longer. */
const everyMs = 15_000
const storedEveryMs = 5 * 60_000

interface Deps {
  db: Db
  log: Logger
  now: () => number
}

/** Metrics from the database; while it does not answer, only `wendou_up` 0. */
export function databaseMetrics({ db, log, now }: Deps): () => Promise<Metric[]> {
  const clock = { now }
  const stored = memoizeFor(storedEveryMs, () => storageMetrics(db))
  const metrics = memoizeFor(everyMs, async () => [
    up(1),
    await jobs(db),
    await conversions(db),
    ...(await backups(db)),
    ...(await sizeMetrics(db)),
    ...(await stored(clock)),
  ])
  return () =>
    metrics(clock).catch((error: unknown) => {
      log.warn({ error }, 'no metrics from the database')
      return [up(0)]
    })
}

function up(value: 0 | 1): Metric {
  return { name: 'wendou_up', help: 'Whether the database answers.', type: 'gauge', values: [{ value }] }
}

async function jobs(db: Db): Promise<Metric> {
  const rows = await db
    .selectFrom('job')
    .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'state'])
    .orderBy('kind')
    .execute()
  const values = rows.map(({ kind, state, count }): Sample => ({ labels: { kind, state }, value: count }))
  return { name: 'wendou_jobs', help: 'Jobs in the queue.', type: 'gauge', values }
}

async function conversions(db: Db): Promise<Metric> {
  const states = ['waiting', 'working', 'failed'] as const
  const rows = await db
    .selectFrom('rendition')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', states)
    .groupBy('state')
    .execute()
  const counts = new Map<string, number>(rows.map(({ state, count }) => [state, count]))
  const values = states.map((state): Sample => ({ labels: { state }, value: counts.get(state) ?? 0 }))
  return { name: 'wendou_conversions', help: 'Contents that are not converted.', type: 'gauge', values }
}

/** An alert asks how long ago the last good one was, and whether the latest attempt failed. */
async function backups(db: Db): Promise<Metric[]> {
  const [goodAt, rows] = await Promise.all([
    findLastBackup(db),
    db.selectFrom('backup').select(['state', 'size']).where('pending_key', '=', '').orderBy('id', 'desc').execute(),
  ])
  const gauge = (name: string, help: string, value: number): Metric => ({
    name: `wendou_backup_${name}`,
    help,
    type: 'gauge',
    values: [{ value }],
  })
  return [
    gauge('last_good_timestamp_seconds', 'When the last good backup was complete; 0 for never.', (goodAt ?? 0) / 1000),
    gauge(
      'last_failed',
      'Whether the latest backup that the site made of itself failed.',
      rows[0]?.state === 'failed' ? 1 : 0,
    ),
    gauge(
      'last_size_bytes',
      'Size of the last good backup of the site by itself.',
      rows.find(({ state }) => state === 'done')?.size ?? 0,
    ),
  ]
}

async function sizeMetrics(db: Db): Promise<Metric[]> {
  if (getEngine(db) === 'sqlite') {
    const { rows } = await sql<{ size: number }>`
      select page_count * page_size as size from pragma_page_count, pragma_page_size`.execute(db)
    return [databaseSize(rows[0]?.size)]
  }
  const { rows } = await sql<{ state: string; count: number }>`
    select coalesce(state, 'unknown') as state, count(*) as count from pg_stat_activity
    where datname = current_database() group by 1`.execute(db)
  const size = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(db)
  return [
    databaseSize(size.rows[0]?.size),
    {
      name: 'wendou_database_connections',
      help: 'Connections to the database, those of other processes included.',
      type: 'gauge',
      values: rows.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
  ]
}

function databaseSize(value = 0): Metric {
  return { name: 'wendou_database_size_bytes', help: 'Size of the database.', type: 'gauge', values: [{ value }] }
}

async function storageMetrics(db: Db): Promise<Metric[]> {
  const { count, size } = await db
    .selectFrom('stored_file')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('size')])
    .executeTakeFirstOrThrow()
  return [
    { name: 'wendou_stored_files', help: 'Files that were uploaded.', type: 'gauge', values: [{ value: count }] },
    {
      name: 'wendou_stored_bytes',
      help: 'Size of the files that were uploaded.',
      type: 'gauge',
      values: [{ value: size ?? 0 }],
    },
  ]
}
