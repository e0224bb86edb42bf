import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openPostgresSearch } from '../src/server/fulltext/postgres/open.ts'
import type { Accept, Search } from '../src/server/fulltext/fulltext.ts'
import { openSqliteSearch } from '../src/server/fulltext/sqlite/open.ts'
import { startPostgres } from '../src/server/testing/postgres.ts'

/** A search with the tables of a site beside it: documents that can be seen or not, and their texts to compare with LIKE. */
export interface Library {
  search: Search
  visible: Accept
  keep(documents: { id: number; texts: string[] }[]): Promise<void>
  /** The newest ten documents with all these words, as without an index. */
  like(words: string[]): Promise<unknown>
  /** All is there: whatever a database does by itself after a while is done now. */
  settle(): Promise<void>
  /** Of the index, in bytes. */
  size(): Promise<number>
  close(): Promise<void>
}

export async function sqliteLibrary(folder: string): Promise<Library> {
  const file = join(folder, 'search.db')
  const siteFile = join(folder, 'site.db')
  const search = openSqliteSearch({ file, site: siteFile, onEmptied: () => console.log('  the index was damaged') })
  const site = new DatabaseSync(siteFile)
  site.exec(`pragma journal_mode = wal; pragma synchronous = off; pragma mmap_size = 268435456;
    create table if not exists document (id integer primary key, status integer); create table if not exists page (document integer, text text)`)
  const document = site.prepare('insert into document values (?, 2)')
  const page = site.prepare('insert into page values (?, ?)')
  const visibleSql = 'select id from document where id in (select value from json_each(?)) and status = 2'
  const visible = site.prepare(visibleSql)
  const statement = { sql: visibleSql, parameters: [''], ids: 0 }
  return {
    search,
    visible: Object.assign(async (ids: number[]) => visible.all(JSON.stringify(ids)).map(({ id }) => Number(id)), {
      statement,
    }),
    async keep(documents) {
      site.exec('begin')
      for (const { id, texts } of documents) {
        document.run(id)
        for (const text of texts) page.run(id, text)
      }
      site.exec('commit')
    },
    like: async (words) =>
      site
        .prepare(
          `select distinct document from page where ${words.map(() => 'text like ?').join(' and ')} order by document desc limit 10`,
        )
        .all(...words.map((word) => `%${word}%`)),
    settle: () => search.settle(),
    size: async () => statSync(file).size,
    async close() {
      await search.close()
      site.close()
    },
  }
}

export async function postgresLibrary(): Promise<Library> {
  const postgres = await startPostgres()
  const search = await openPostgresSearch({ url: postgres.url })
  const site = new pg.Pool({ connectionString: postgres.url })
  await site.query('create table document (id bigint primary key, status integer)')
  await site.query('create table page (document bigint, text text)')
  return {
    search,
    visible: async (ids) =>
      (await site.query('select id from document where id = any($1) and status = 2', [ids])).rows.map(({ id }) =>
        Number(id),
      ),
    async keep(documents) {
      await site.query('insert into document select unnest($1::bigint[]), 2', [documents.map(({ id }) => id)])
      await site.query('insert into page select * from unnest($1::bigint[], $2::text[])', [
        documents.flatMap(({ id, texts }) => texts.map(() => id)),
        documents.flatMap(({ texts }) => texts),
      ])
    },
    like: (words) =>
      site.query(
        `select distinct document from page where ${words.map((_, at) => `text like $${at + 1}`).join(' and ')} order by document desc limit 10`,
        words.map((word) => `%${word}%`),
      ),
    settle: async () => void (await site.query('vacuum analyze')),
    size: async () =>
      Number(
        (
          await site.query(
            `select sum(pg_total_relation_size(oid)) as size from pg_class where relkind = 'r' and relname like 'search\\_%'`,
          )
        ).rows[0]?.size,
      ),
    async close() {
      await search.close()
      await site.end()
      await postgres.stop()
    },
  }
}
