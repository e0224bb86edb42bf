import pg from 'pg'
import { extractKeywords } from '../engine/keywords.ts'
import { findPages } from '../engine/find-pages.ts'
import { createResultCache } from '../engine/result-cache.ts'
import { type Engine, updateVocabulary } from '../engine/engine.ts'
import { executeSearch } from '../engine/search.ts'
import { findSimilar } from '../engine/similar.ts'
import { suggestTitles } from '../engine/suggest.ts'
import type { FulltextIndex } from '../fulltext.ts'
import { toPinyin } from '../text/pinyin.ts'
import { createVocabulary } from '../text/vocabulary.ts'
import { postgresStore } from './store.ts'
import { prepareTables, wereTruncated } from './tables.ts'
import { postgresWriter } from './write.ts'

interface Options {
  url: string
  /** PostgreSQL has recovered from a crash, with an empty index: fill it again. */
  onEmptied?: () => void
}

const writeConcurrency = 2
const countingBudgetMs = 60

/** An index in tables of its own, `search_…`, in the site's database. The database does the work. */
export async function openPostgresFulltext({ url, onEmptied }: Options): Promise<FulltextIndex> {
  let isReady = false
  // A crash closes every connection, so that a new one is the time to ask.
  const onConnect = async (client: pg.ClientBase) => {
    if (isReady && (await wereTruncated(client))) onEmptied?.()
  }
  // Two pools, so that no query waits for a connection that indexing holds.
  const writePool = openPool(url, { max: writeConcurrency + 1, timeoutMs: 60_000, onConnect })
  const readPool = openPool(url, { max: 4, timeoutMs: 4000, onConnect })
  await prepareTables(writePool)
  isReady = true
  const store = postgresStore(readPool)
  const writer = postgresWriter(writePool, { concurrency: writeConcurrency })
  const vocabulary = createVocabulary()
  await updateVocabulary(store, vocabulary)
  const engine: Engine = {
    store,
    vocabulary,
    // Other processes may have written, and PostgreSQL has no cheap version number that would show it.
    cache: createResultCache(() => Number.NaN),
    countingBudgetMs,
    async visibleIds({ sql, parameters, idsParameter }, ids) {
      const { rows } = await readPool.query<{ id: number | string }>(sql, parameters.with(idsParameter, ids))
      return rows.map(({ id }) => Number(id))
    },
  }

  return {
    ...writer,
    search: (query) => executeSearch(engine, query),
    async find(query) {
      await updateVocabulary(store, vocabulary)
      return findPages({ store, vocabulary, kind: query.kind }, query)
    },
    toPinyin: (texts) => Promise.all(texts.map(toPinyin)),
    suggest: (query) => suggestTitles(engine, query),
    similar: (query) => findSimilar(engine, query),
    keywords: (query) => extractKeywords(engine, query),
    close: async () => void (await Promise.all([readPool.end(), writer.close()])),
  }
}

interface PoolOptions {
  max: number
  timeoutMs: number
  onConnect: (client: pg.ClientBase) => Promise<void>
}

function openPool(url: string, { max, timeoutMs, onConnect }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    onConnect,
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    // JIT compilation, sequential scans over all tokens and parallel workers each cost more than any of these queries.
    options: `-c jit=off -c enable_seqscan=off -c max_parallel_workers_per_gather=0 -c statement_timeout=${timeoutMs}`,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
