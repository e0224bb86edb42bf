import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { copyDatabase } from '#server/testing/databases/database.ts'
import { testFilters } from '../filters.suite.ts'
import type { FulltextIndex } from '../fulltext.ts'
import { openPostgresFulltext } from './open.ts'

describe.runIf(inject('database').engine === 'postgres')('an index in PostgreSQL', () => {
  test('after a crash of PostgreSQL onEmptied is called once, and the index can be filled again', async () => {
    const { url, query } = await open()
    let emptied = 0
    const index = await openIndex(url, () => emptied++)
    await put(index, 1, '山谷里的春天 Spring')
    expect(emptied).toBe(0)
    // What crash recovery does to unlogged tables and to connections.
    await query('truncate search_filled, search_entry, search_page')
    await query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await expect.poll(() => search(index, '山谷').catch(() => undefined)).toEqual([])
    await expect.poll(() => emptied).toBe(1)
    await put(index, 1, '山谷里的春天 Spring')
    expect(await search(index, 'prin')).toEqual([1])
    expect(emptied).toBe(1)
  })

  test('all tables but the vocabulary are unlogged', async () => {
    const { url, query } = await open()
    await openIndex(url)
    const { rows } = await query(
      `select relname from pg_class where relkind = 'r' and relname like 'search\\_%' and relpersistence = 'u' order by 1`,
    )
    expect(rows.map(({ relname }) => relname)).toEqual(['search_entry', 'search_filled', 'search_page'])
  })

  test('changes of one document are applied in order', async () => {
    const { url } = await open()
    const index = await openIndex(url)
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => [
        put(index, 1, `第${at}版的标题`),
        put(index, at + 2, `别的文档 ${at}`),
      ]).flat(),
    )
    expect(await search(index, '版的标题')).toEqual([1])
    expect(await search(index, '第59版的标题')).toEqual([1])
    expect(await search(index, '第58版的标题')).toEqual([])
  })

  test('a new title is found together with words of the pages, the old one is not', async () => {
    const { url } = await open()
    const index = await openIndex(url)
    await put(index, 1, '旧标题', ['山谷', '积雪'])
    const metadata = { kind: 'document', id: 1, keywords: '', description: '', quality: 0, version: '2' } as const
    await index.putMetadata({ ...metadata, title: '新名字' })
    expect(await search(index, '名字 积雪')).toEqual([1])
    expect(await search(index, '标题 积雪')).toEqual([])
    expect(await index.list('document', { after: 0, limit: 1 })).toEqual([
      { id: 1, metadataVersion: '2', pagesVersion: '1' },
    ])
  })
})

async function open() {
  const database = await copyDatabase({ empty: true })
  const client = new pg.Client(database.url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.remove()
  })
  return { url: database.url, query: (sql: string) => client.query<Record<string, string>>(sql) }
}

async function openIndex(url: string, onEmptied = () => {}): Promise<FulltextIndex> {
  const index = await openPostgresFulltext({ url, onEmptied })
  onTestFinished(() => index.close())
  return index
}

async function put(index: FulltextIndex, id: number, title: string, texts = [`${title}的正文`]): Promise<void> {
  const pages = texts.map((text, at) => ({ page: at + 1, text }))
  await Promise.all([
    index.putMetadata({ kind: 'document', id, title, keywords: '', description: '', quality: 0, version: '1' }),
    index.putPages({ kind: 'document', id, pages, version: '1' }),
  ])
}

async function search(index: FulltextIndex, words: string): Promise<number[]> {
  const { all } = testFilters('postgres')
  const query = { kind: 'document', words, visibility: all, offset: 0, limit: 10, maxTotal: 100 } as const
  return (await index.search(query)).hits.map(({ id }) => id)
}
