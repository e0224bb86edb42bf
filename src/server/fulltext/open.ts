import { join } from 'node:path'
import { openPostgresSearch } from './postgres/open.ts'
import type { Search } from './fulltext.ts'
import { openSqliteSearch } from './sqlite/open.ts'

interface Options {
  databaseUrl: string
  dataDir: string
  /** The index was damaged while in use and is empty now: fill it again. */
  onEmptied: () => void
}

/** Beside the site's SQLite a file of its own; in PostgreSQL tables of its own. */
export async function openSearch({ databaseUrl, dataDir, onEmptied }: Options): Promise<Search> {
  if (/^postgres(ql)?:/.test(databaseUrl)) return openPostgresSearch({ url: databaseUrl, onEmptied })
  return openSqliteSearch({ file: join(dataDir, 'search.db'), site: databaseUrl, onEmptied })
}
