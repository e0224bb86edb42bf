import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
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

/** In another schema of the same database may be somebody else's. */
export async function tableNames(db: Db): Promise<Set<string>> {
  const { rows } = await (
    engineOf(db) === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(db)
  return new Set(rows.map(({ name }) => name))
}
