import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { inject } from 'vitest'
import { copyDatabase } from '#server/testing/databases/database.ts'
import { testFilters } from './filters.suite.ts'
import { fulltextSuite } from './fulltext.suite.ts'
import { longDocumentsSuite, type TestIndex } from './long-documents.suite.ts'
import { openPostgresFulltext } from './postgres/open.ts'
import { openSqliteFulltext } from './sqlite/open.ts'
import { substringSuite } from './substrings.suite.ts'

const { engine } = inject('database')
const [name, open] = engine === 'sqlite' ? (['SQLite', inSqlite] as const) : (['PostgreSQL', inPostgres] as const)
const filters = testFilters(engine)
fulltextSuite(`an index in ${name}`, async () => (await open()).index, filters)
substringSuite(`substrings in ${name}`, async () => (await open()).index, filters)
longDocumentsSuite(`long documents in ${name}`, open, filters)

async function inSqlite(): Promise<TestIndex> {
  const site = await copyDatabase()
  const file = join(site.url, '../search.db')
  const index = openSqliteFulltext({ file, site: site.url, onEmptied: () => {} })
  const close = async () => {
    await index.close()
    await site.remove()
  }
  const dropTokens = async () => {
    using database = new DatabaseSync(file)
    for (const table of ['metadata_index', 'page_index', 'entry_index'])
      database.exec(`insert into ${table} (${table}) values ('delete-all')`)
    database.exec('delete from word')
  }
  return { index: { ...index, close }, dropTokens }
}

async function inPostgres(): Promise<TestIndex> {
  const database = await copyDatabase({ empty: true })
  const index = await openPostgresFulltext({ url: database.url })
  const close = async () => {
    await index.close()
    await database.remove()
  }
  const dropTokens = async () => {
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query(`update search_entry set title_tokens = '{}', metadata_tokens = '{}', tokens = '{}'`)
    await client.query(`update search_page set folded = '', words = '{}'`)
    await client.query('delete from search_word')
    await client.end()
  }
  return { index: { ...index, close }, dropTokens }
}
