import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Db, OpenDatabase } from '../db/open.ts'
import type { Storage } from '../storage/storage.ts'
import { allTables } from './rows.ts'

/**
 * Stands in a database from before the first file is restored until all rows are in, and goes with the transaction that
 * brings them: whoever finds it knows that a restoration was cut short.
 */
const mark = 'restoring'

export async function isHalfRestored({ db }: Pick<OpenDatabase, 'db'>): Promise<boolean> {
  return (await tableNames(db)).has(mark)
}

export const halfRestored =
  '上一次恢复没有完成。请重新运行 npm run cli -- restore <备份文件>；要放弃它，运行 npm run cli -- restore --abandon'

/** Nothing of a site is there: no rows, and no files that another site may be using. */
export async function isEmptyTarget({ db }: OpenDatabase, storage: Storage): Promise<boolean> {
  const present = await tableNames(db)
  for (const name of allTables) {
    if (name === 'migration' || !present.has(name)) continue
    const row = await db.selectFrom(name).select(sql.lit(1).as('one')).limit(1).executeTakeFirst()
    if (row) return false
  }
  for (const prefix of ['files/', 'renditions/']) for await (const _ of storage.list(prefix)) return false
  return true
}

export async function beginRestoring({ db }: OpenDatabase): Promise<void> {
  await db.schema.createTable(mark).ifNotExists().addColumn('at', 'bigint').execute()
}

export async function endRestoring(db: Db): Promise<void> {
  await db.schema.dropTable(mark).ifExists().execute()
}

/** Everything that is ours, the search index included: it is filled again from what is restored. */
export async function dropTables(db: Db): Promise<void> {
  const present = await tableNames(db)
  const ours = [...allTables, 'search_entry', 'search_page', 'search_word', 'search_version']
  for (const name of ours) if (present.has(name)) await db.schema.dropTable(name).execute()
}

/** The index of a site on SQLite is a file of its own. */
export async function dropSearchFile(dataDir: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `search.db${end}`), { force: true })
}

async function tableNames(db: Db): Promise<Set<string>> {
  return new Set((await db.introspection.getTables()).map(({ name }) => name))
}

/** Connections that are older than ours: those that we open ourselves come later. */
export async function hasOtherClients(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
    and backend_start < (select backend_start from pg_stat_activity where pid = pg_backend_pid()) limit 1`.execute(db)
  return rows.length > 0
}

/** SQLite leaves WAL mode only for who has the file alone. Call it before the database is opened otherwise. */
export function isOpenElsewhere(file: string): boolean {
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    return database.prepare('pragma journal_mode = delete').get()?.journal_mode !== 'delete'
  } catch {
    return true
  } finally {
    database.close()
  }
}
