import { DatabaseSync } from 'node:sqlite'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, OpenDatabase } from '../db/open.ts'
import type { Row } from './rows.ts'

/** A consistent snapshot of the database, while the site continues writing. */
export interface Snapshot {
  /** In batches: memory does not grow with a table. */
  select(query: string): AsyncIterable<Row[]>
  /** The highest id that each table has ever used. */
  lastIds(): Promise<Map<string, number>>
  close(): Promise<void>
}

const batch = 500

export function openSnapshot({ db, engine, url }: OpenDatabase): Promise<Snapshot> {
  return engine === 'postgres' ? postgresSnapshot(db) : sqliteSnapshot(url)
}

/** A dedicated connection: the site's own would share its transactions, or block writers. */
async function sqliteSnapshot(file: string): Promise<Snapshot> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  database.exec('begin')
  // SQLite takes the snapshot at the first read.
  database.prepare('select count(*) from sqlite_master').get()
  return {
    async *select(query) {
      let rows: Row[] = []
      for (const row of database.prepare(query).iterate()) {
        if (rows.push(row) < batch) continue
        yield rows
        rows = []
        await yieldToEventLoop()
      }
      if (rows.length > 0) yield rows
    },
    async lastIds() {
      const rows = database.prepare('select name, seq from sqlite_sequence').all()
      return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
    },
    close: async () => database.close(),
  }
}

async function postgresSnapshot(db: Db): Promise<Snapshot> {
  const reading = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  // The snapshot is taken at the first query.
  await sql`select 1`.execute(reading)
  return {
    select: (query) => fetchBatches(reading, query),
    async lastIds() {
      const { rows } = await sql<{ name: string; last: number | null }>`
        select table_name as name,
          pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass) as last
        from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`.execute(reading)
      return new Map(rows.map(({ name, last }) => [name, last ?? 0]))
    },
    async close() {
      await reading.rollback().execute()
    },
  }
}

/** A cursor inside a transaction of PostgreSQL. */
export async function* fetchBatches(db: Db, query: string): AsyncGenerator<Row[]> {
  await sql.raw(`declare batches no scroll cursor for ${query}`).execute(db)
  for (;;) {
    const { rows } = await sql.raw<Row>(`fetch ${batch} from batches`).execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < batch) break
  }
  await sql`close batches`.execute(db)
}
