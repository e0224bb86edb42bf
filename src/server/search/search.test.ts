import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { copyDatabase } from '../testing/database.ts'
import { openPostgresSearch } from './postgres.ts'
import type { Search } from './search.ts'
import { searchSuite } from './search.suite.ts'
import { openSqliteSearch } from './sqlite.ts'

if (inject('database').engine === 'sqlite') searchSuite('a search in SQLite', inSqlite)
else searchSuite('a search in PostgreSQL', inPostgres)

async function inSqlite(): Promise<Search> {
  const folder = await mkdtemp(join(tmpdir(), 'wendou-search-'))
  const search = openSqliteSearch({ file: join(folder, 'search.db'), onEmptied: () => {} })
  const close = async () => {
    await search.close()
    await rm(folder, { recursive: true })
  }
  return { ...search, close }
}

async function inPostgres(): Promise<Search> {
  const database = await copyDatabase({ empty: true })
  const search = await openPostgresSearch({ url: database.url })
  const close = async () => {
    await search.close()
    await database.remove()
  }
  return { ...search, close }
}
