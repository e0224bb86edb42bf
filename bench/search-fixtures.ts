import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { DocumentStatus } from '#shared/document-status.ts'
import { openPostgresFulltext } from '../src/server/fulltext/postgres/open.ts'
import type { VisibilityFilter, FulltextIndex } from '../src/server/fulltext/fulltext.ts'
import { openSqliteFulltext } from '../src/server/fulltext/sqlite/open.ts'
import { startPostgres } from '../src/server/testing/databases/postgres.ts'

/** A full-text index with minimal tables of a site: documents with a status, and their texts to compare with LIKE. */
export interface SearchFixture {
  search: FulltextIndex
  /** The same index, opened by another version of the product. */
  openWith(folder: string): Promise<FulltextIndex>
  visibility: VisibilityFilter
  /** The small query of another visitor. */
  findVisible(ids: number[]): Promise<unknown[]>
  addDocuments(documents: { id: number; texts: string[] }[]): Promise<void>
  /** The newest ten documents with all these words, found without an index. */
  like(words: string[]): Promise<unknown>
  /** Does now what the database would do in the background. */
  optimize(): Promise<void>
  /** Size of the index in bytes. */
  size(): Promise<number>
  close(): Promise<void>
}

export async function openSqliteFixture(folder: string): Promise<SearchFixture> {
  const file = join(folder, 'search.db')
  const siteFile = join(folder, 'site.db')
  const options = { file, site: siteFile, onEmptied: () => console.log('  the index was damaged') }
  const search = openSqliteFulltext(options)
  const site = new DatabaseSync(siteFile)
  site.exec(`pragma journal_mode = wal; pragma synchronous = off; pragma mmap_size = 268435456;
    create table if not exists document (id integer primary key, status integer); create table if not exists page (document integer, text text)`)
  const document = site.prepare(`insert into document values (?, ${DocumentStatus.Converted})`)
  const page = site.prepare('insert into page values (?, ?)')
  const visibleSql = `select id from document where id in (select value from json_each(?)) and status = ${DocumentStatus.Converted}`
  const visible = site.prepare(visibleSql)
  return {
    search,
    async openWith(folder) {
      const other = (await import(moduleOf(folder, 'sqlite'))) as { openSqliteFulltext: typeof openSqliteFulltext }
      return other.openSqliteFulltext(options)
    },
    visibility: { sql: visibleSql, parameters: [''], idsParameter: 0 },
    findVisible: async (ids) => visible.all(JSON.stringify(ids)),
    async addDocuments(documents) {
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
    optimize: () => search.optimize(),
    size: async () => statSync(file).size,
    async close() {
      await search.close()
      site.close()
    },
  }
}

export async function openPostgresFixture(): Promise<SearchFixture> {
  const postgres = await startPostgres()
  const search = await openPostgresFulltext({ url: postgres.url })
  const site = new pg.Pool({ connectionString: postgres.url })
  await site.query('create table document (id bigint primary key, status integer)')
  await site.query('create table page (document bigint, text text)')
  const visibleSql = `select id from document where id = any($1) and status = ${DocumentStatus.Converted}`
  return {
    search,
    async openWith(folder) {
      const other = (await import(moduleOf(folder, 'postgres'))) as {
        openPostgresFulltext: typeof openPostgresFulltext
      }
      return other.openPostgresFulltext({ url: postgres.url })
    },
    visibility: { sql: visibleSql, parameters: [[]], idsParameter: 0 },
    findVisible: async (ids) => (await site.query(visibleSql, [ids])).rows,
    async addDocuments(documents) {
      await site.query(`insert into document select unnest($1::bigint[]), ${DocumentStatus.Converted}`, [
        documents.map(({ id }) => id),
      ])
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
    optimize: async () => void (await site.query('vacuum analyze')),
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

function moduleOf(folder: string, engine: 'sqlite' | 'postgres'): string {
  return pathToFileURL(resolve(folder, `src/server/fulltext/${engine}/open.ts`)).href
}
