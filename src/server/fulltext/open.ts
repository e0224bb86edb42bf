import { join } from 'node:path'
import type { FulltextIndex } from './fulltext.ts'
import { openPostgresFulltext } from './postgres/open.ts'
import { openSqliteFulltext } from './sqlite/open.ts'

interface Options {
  databaseUrl: string
  dataDir: string
  /** The index was damaged while in use and is empty now: fill it again. */
  onEmptied: () => void
}

/** On SQLite a database file of its own beside the site's; on PostgreSQL tables of its own in the site's database. */
export async function openFulltext({ databaseUrl, dataDir, onEmptied }: Options): Promise<FulltextIndex> {
  if (/^postgres(ql)?:/.test(databaseUrl)) return openPostgresFulltext({ url: databaseUrl, onEmptied })
  return openSqliteFulltext({ file: join(dataDir, 'search.db'), site: databaseUrl, onEmptied })
}
