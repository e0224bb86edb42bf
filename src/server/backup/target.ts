import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { getEngine } from '../db/engine.ts'
import type { Db, OpenDatabase } from '../db/open.ts'
import type { Storage } from '../storage/storage.ts'
import { allTables } from './rows.ts'

/**
 * A table that exists from before the first file is restored until the transaction that writes all rows commits: a
 * database that has it was left by an interrupted restoration.
 */
const marker = 'restoring'

export async function isHalfRestored({ db }: Pick<OpenDatabase, 'db'>): Promise<boolean> {
  return (await tableNames(db)).has(marker)
}

export const halfRestored =
  '上一次恢复没有完成。请重新运行 npm run cli -- restore <备份文件>；要放弃它，运行 npm run cli -- restore --abandon'

/** Without rows of a site, and without files that another site may be using. */
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
  await db.schema.createTable(marker).ifNotExists().addColumn('at', 'bigint').execute()
}

export async function endRestoring(db: Db): Promise<void> {
  await db.schema.dropTable(marker).ifExists().execute()
}

/** All tables of the site, with the search index, which is rebuilt from the restored rows. */
export async function dropTables(db: Db): Promise<void> {
  const present = await tableNames(db)
  const ours = [...allTables, 'search_entry', 'search_page', 'search_word', 'search_version']
  for (const name of ours) if (present.has(name)) await db.schema.dropTable(name).execute()
}

/** The index of a site on SQLite is a file of its own. */
export async function dropSearchFile(dataDir: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `search.db${end}`), { force: true })
}

/** Of the current schema: other schemas of the database may belong to other programs. */
export async function tableNames(db: Db): Promise<Set<string>> {
  const { rows } = await (
    getEngine(db) === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(db)
  return new Set(rows.map(({ name }) => name))
}
