import { type Kysely, sql } from 'kysely'
import { migrations } from '../db/migrate.ts'
import type { Db, Engine, OpenDatabase } from '../db/open.ts'
import { BackupError } from './format.ts'
import type { Backup } from './read.ts'
import { type Row, rowDigest, type TableName, toLine } from './rows.ts'
import { fetchBatches } from './snapshot.ts'
import { dropTables, endRestoring } from './target.ts'

/** Both databases take fewer values than this in one statement. */
const maxValues = 30_000
const page = 500

/** All in one transaction: readers see the old rows, or all rows of the backup. */
export async function restoreRows({ db, engine }: OpenDatabase, backup: Backup): Promise<void> {
  const { manifest } = backup
  await db.transaction().execute(async (db) => {
    await dropTables(db)
    await createTables(db, engine, manifest.schema)
    for (const [table, { rows, digest }] of Object.entries(manifest.tables)) {
      const restored = rowDigest()
      let count = 0
      for await (const batch of backup.rows(table)) {
        await insert(db, table, batch)
        count += batch.length
      }
      for await (const batch of storedRows(db, engine, table)) for (const row of batch) restored.add(toLine(table, row))
      if (count !== rows || restored.text() !== digest)
        throw new BackupError(`表 ${table} 写入后与备份不符，数据库没有改动。请检查数据库，再重新恢复`)
    }
    await continueIds(db, engine, manifest.last_ids)
    await dropPurged(db, manifest)
    await endRestoring(db)
  })
}

/** The schema of the backup: later migrations run afterwards, as in any upgrade. */
async function createTables(db: Db, engine: Engine, schema: readonly string[]): Promise<void> {
  await db.schema
    .createTable('migration')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  for (const [name, migration] of migrations.filter(([name]) => schema.includes(name))) {
    await migration.up(db as unknown as Kysely<unknown>, engine)
    await db.insertInto('migration').values({ name, at: Date.now() }).execute()
  }
}

async function insert(db: Db, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length
  const step = Math.min(page, Math.floor(maxValues / Math.max(1, columns)))
  for (let from = 0; from < rows.length; from += step)
    await db
      .insertInto(table as TableName)
      .values(rows.slice(from, from + step))
      .execute()
}

/** The rows that the database now has. */
function storedRows(db: Db, engine: Engine, table: string): AsyncGenerator<Row[]> {
  return engine === 'postgres' ? fetchBatches(db, `select * from "${table}"`) : rowsById(db, table)
}

async function* rowsById(db: Db, table: string): AsyncGenerator<Row[]> {
  for (let last = 0; ;) {
    const { rows } = await sql<Row & { place: number }>`
      select *, rowid as place from ${sql.table(table)} where rowid > ${last} order by rowid limit ${page}`.execute(db)
    yield rows.map(({ place: _place, ...row }) => row)
    if (rows.length < page) return
    last = rows.at(-1)?.place ?? 0
  }
}

/** Ids of deleted rows must not be reused, so the highest existing id is not enough. */
async function continueIds(db: Db, engine: Engine, lastIds: Record<string, number>): Promise<void> {
  for (const [table, lastId] of Object.entries(lastIds)) {
    const { rows } = await sql<{ last: number | null }>`select max(id) as last from ${sql.table(table)}`.execute(db)
    const last = Math.max(lastId, rows[0]?.last ?? 0)
    if (last === 0) continue
    if (engine === 'postgres') {
      await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), 'id')::regclass, ${last})`.execute(db)
      continue
    }
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db)
  }
}

/** Deletes the rows of files that were purged before they were copied; renditions that were being replaced are converted again. */
async function dropPurged(db: Db, { purged, renewed }: { purged: string[]; renewed: string[] }): Promise<void> {
  for (let from = 0; from < purged.length; from += page)
    await db
      .deleteFrom('stored_file')
      .where('hash', 'in', purged.slice(from, from + page))
      .execute()
  for (let from = 0; from < renewed.length; from += page)
    await db
      .updateTable('rendition')
      .set({ state: 'waiting' })
      .where('state', '=', 'done')
      .where('hash', 'in', renewed.slice(from, from + page))
      .execute()
}
