import { sql } from 'kysely'
import { engineOf } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'
import type { Logger } from '#server/log.ts'
import type { Figure, Value } from './text-format.ts'

/** However often somebody asks, the database is asked so often; what is summed up over a whole table less. */
const everyMs = 15_000
const storedEveryMs = 5 * 60_000

interface Parts {
  db: Db
  log: Logger
  now: () => number
}

/** What only the database knows; a database that does not answer leaves its figures out, and says so by `wendou_up`. */
export function databaseFigures({ db, log, now }: Parts): () => Promise<Figure[]> {
  const stored = renewed(storedEveryMs, now, () => storedFigures(db))
  const figures = renewed(everyMs, now, async () => [
    up(1),
    await jobs(db),
    await conversions(db),
    ...(await databaseOf(db)),
    ...(await stored()),
  ])
  return () =>
    figures().catch((error: unknown) => {
      log.warn({ error }, 'the database gives no figures')
      return [up(0)]
    })
}

/** The same for all who ask within a while; what failed is tried again by the next. */
function renewed<T>(ms: number, now: () => number, make: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; made: Promise<T> } | undefined
  return () => {
    if (kept && Math.abs(now() - kept.at) < ms) return kept.made
    const current = { at: now(), made: make() }
    kept = current
    current.made.catch(() => {
      if (kept === current) kept = undefined
    })
    return current.made
  }
}

function up(value: 0 | 1): Figure {
  return { name: 'wendou_up', help: 'Whether the database answers.', type: 'gauge', values: [{ value }] }
}

async function jobs(db: Db): Promise<Figure> {
  const rows = await db
    .selectFrom('job')
    .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'state'])
    .orderBy('kind')
    .execute()
  const values = rows.map(({ kind, state, count }): Value => ({ labels: { kind, state }, value: count }))
  return { name: 'wendou_jobs', help: 'Jobs in the queue.', type: 'gauge', values }
}

async function conversions(db: Db): Promise<Figure> {
  const states = ['waiting', 'working', 'failed'] as const
  const rows = await db
    .selectFrom('rendition')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', states)
    .groupBy('state')
    .execute()
  const counts = new Map<string, number>(rows.map(({ state, count }) => [state, count]))
  const values = states.map((state): Value => ({ labels: { state }, value: counts.get(state) ?? 0 }))
  return { name: 'wendou_conversions', help: 'Contents that are not converted.', type: 'gauge', values }
}

async function databaseOf(db: Db): Promise<Figure[]> {
  if (engineOf(db) === 'sqlite') {
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

function databaseSize(value = 0): Figure {
  return { name: 'wendou_database_size_bytes', help: 'Size of the database.', type: 'gauge', values: [{ value }] }
}

async function storedFigures(db: Db): Promise<Figure[]> {
  const { count, size } = await db
    .selectFrom('stored_file')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('size')])
    .executeTakeFirstOrThrow()
  return [
    { name: 'wendou_stored_files', help: 'Files that people have brought.', type: 'gauge', values: [{ value: count }] },
    {
      name: 'wendou_stored_bytes',
      help: 'Size of the files that people have brought.',
      type: 'gauge',
      values: [{ value: size ?? 0 }],
    },
  ]
}
