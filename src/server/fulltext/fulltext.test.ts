import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { inject } from 'vitest'
import { copyDatabase } from '#server/testing/database.ts'
import { longDocumentsSuite, type Opened } from './long-documents.suite.ts'
import { openPostgresSearch } from './postgres/open.ts'
import { searchSuite } from './fulltext.suite.ts'
import { openSqliteSearch } from './sqlite/open.ts'

const [name, open] =
  inject('database').engine === 'sqlite' ? (['SQLite', inSqlite] as const) : (['PostgreSQL', inPostgres] as const)
searchSuite(`a search in ${name}`, async () => (await open()).search)
longDocumentsSuite(`long documents in ${name}`, open)

async function inSqlite(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'wendou-search-'))
  const file = join(folder, 'search.db')
  const search = openSqliteSearch({ file, onEmptied: () => {} })
  const close = async () => {
    await search.close()
    await rm(folder, { recursive: true })
  }
  const spoil = async () => {
    const database = new DatabaseSync(file)
    for (const index of ['head_index', 'page_index', 'entry_index'])
      database.exec(`insert into ${index} (${index}) values ('delete-all')`)
    database.exec('delete from word')
    database.close()
  }
  return { search: { ...search, close }, spoil }
}

async function inPostgres(): Promise<Opened> {
  const database = await copyDatabase({ empty: true })
  const search = await openPostgresSearch({ url: database.url })
  const close = async () => {
    await search.close()
    await database.remove()
  }
  const spoil = async () => {
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query(`update search_entry set title_tokens = '{}', head_tokens = '{}', tokens = '{}'`)
    await client.query(`update search_page set folded = '', words = '{}'`)
    await client.query('delete from search_word')
    await client.end()
  }
  return { search: { ...search, close }, spoil }
}
