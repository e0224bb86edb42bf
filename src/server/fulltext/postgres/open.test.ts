import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { copyDatabase } from '#server/testing/database.ts'
import { openPostgresSearch } from './open.ts'
import type { Search } from '../fulltext.ts'

describe.runIf(inject('database').engine === 'postgres')('an index in PostgreSQL', () => {
  test('when a crash has emptied it, that is told once, and it is filled again', async () => {
    const { url, query } = await open()
    let told = 0
    const search = await openSearch(url, () => told++)
    await put(search, 1, '山谷里的春天 Spring')
    expect(told).toBe(0)
    // What PostgreSQL does to tables that are not logged, and to everybody connected.
    await query('truncate search_filled, search_entry, search_page')
    await query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await expect.poll(() => found(search, '山谷').catch(() => undefined)).toEqual([])
    await expect.poll(() => told).toBe(1)
    await put(search, 1, '山谷里的春天 Spring')
    expect(await found(search, 'prin')).toEqual([1])
    expect(told).toBe(1)
  })

  test('what can be filed again is not logged; words are, as they are not filed a second time', async () => {
    const { url, query } = await open()
    await openSearch(url)
    const { rows } = await query(
      `select relname from pg_class where relkind = 'r' and relname like 'search\\_%' and relpersistence = 'u' order by 1`,
    )
    expect(rows.map(({ relname }) => relname)).toEqual(['search_entry', 'search_filled', 'search_page'])
  })

  test('changes of one document are made in the order they were asked for', async () => {
    const { url } = await open()
    const search = await openSearch(url)
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => [
        put(search, 1, `第${index}版的标题`),
        put(search, index + 2, `别的文档 ${index}`),
      ]).flat(),
    )
    expect(await found(search, '版的标题')).toEqual([1])
    expect(await found(search, '第59版的标题')).toEqual([1])
    expect(await found(search, '第58版的标题')).toEqual([])
  })

  test('a new title is found beside words of the pages, the old one no longer', async () => {
    const { url } = await open()
    const search = await openSearch(url)
    await put(search, 1, '旧标题', ['山谷', '积雪'])
    const head = { kind: 'document', id: 1, keywords: '', description: '', quality: 0, mark: '2' } as const
    await search.putHead({ ...head, title: '新名字' })
    expect(await found(search, '名字 积雪')).toEqual([1])
    expect(await found(search, '标题 积雪')).toEqual([])
    expect(await search.list('document', { after: 0, limit: 1 })).toEqual([{ id: 1, headMark: '2', pagesMark: '1' }])
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

async function openSearch(url: string, onEmptied = () => {}): Promise<Search> {
  const search = await openPostgresSearch({ url, onEmptied })
  onTestFinished(() => search.close())
  return search
}

async function put(search: Search, id: number, title: string, texts = [`${title}的正文`]): Promise<void> {
  const pages = texts.map((text, index) => ({ page: index + 1, text }))
  await Promise.all([
    search.putHead({ kind: 'document', id, title, keywords: '', description: '', quality: 0, mark: '1' }),
    search.putPages({ kind: 'document', id, pages, mark: '1' }),
  ])
}

async function found(search: Search, words: string): Promise<number[]> {
  const accept = async (ids: number[]) => ids
  const { found } = await search.search({ kind: 'document', words, accept, offset: 0, limit: 10, most: 100 })
  return found.map(({ id }) => id)
}
