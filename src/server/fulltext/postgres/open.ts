import pg from 'pg'
import { answer, learn } from '../engine/rank.ts'
import { postgresStore } from './store.ts'
import { prepareTables, wereEmptied } from './tables.ts'
import { postgresWrites } from './write.ts'
import { openMemory } from '../engine/result-cache.ts'
import { findPages } from '../engine/find-pages.ts'
import type { Search } from '../fulltext.ts'
import { similarTo } from '../engine/similar.ts'
import { spellingOf } from '../text/spelling.ts'
import { suggestTitles } from '../engine/suggest.ts'
import { openVocabulary } from '../text/vocabulary.ts'

interface Options {
  url: string
  /** The database crashed and has started again, with an empty index: fill it. */
  onEmptied?: () => void
}

const filedAtOnce = 2
const countingMs = 60

/** An index in tables of its own, `search_…`, in the database of the site. The work is done by the database. */
export async function openPostgresSearch({ url, onEmptied }: Options): Promise<Search> {
  let isReady = false
  // Whoever was connected when it crashed has to connect again.
  const onConnect = async (client: pg.ClientBase) => {
    if (isReady && (await wereEmptied(client))) onEmptied?.()
  }
  // Apart, so that nobody who asks waits for what is being filed.
  const writers = openPool(url, { max: filedAtOnce + 1, patienceMs: 60_000, onConnect })
  const readers = openPool(url, { max: 4, patienceMs: 4000, onConnect })
  await prepareTables(writers)
  isReady = true
  const store = postgresStore(readers)
  const writes = postgresWrites(writers, { atOnce: filedAtOnce })
  const vocabulary = openVocabulary()
  await learn(store, vocabulary)
  // Another process may have filed something: there is no number that tells.
  const index = { store, vocabulary, memory: openMemory(() => Number.NaN), countingMs }

  return {
    ...writes,
    search: (question) => answer(index, question),
    async find(question) {
      await learn(store, vocabulary)
      return findPages({ store, vocabulary, kind: question.kind }, question)
    },
    spell: (texts) => Promise.all(texts.map(spellingOf)),
    suggest: async (question) => suggestTitles(index, question),
    similar: (question) => similarTo(store, question),
    close: async () => void (await Promise.all([readers.end(), writes.close()])),
  }
}

interface PoolOptions {
  max: number
  patienceMs: number
  onConnect: (client: pg.ClientBase) => Promise<void>
}

function openPool(url: string, { max, patienceMs, onConnect }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    onConnect,
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    // Compiling a plan takes longer than any of these questions, and so does reading the tokens of all entries, or starting
    // more processes for one.
    options: `-c jit=off -c enable_seqscan=off -c max_parallel_workers_per_gather=0 -c statement_timeout=${patienceMs}`,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
