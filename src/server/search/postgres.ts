import pg from 'pg'
import { answer, learn } from './engine.ts'
import { postgresStore } from './postgres-store.ts'
import { prepareTables } from './postgres-tables.ts'
import { postgresWrites } from './postgres-write.ts'
import { openMemory } from './memory.ts'
import { findPages } from './find-pages.ts'
import type { Search } from './search.ts'
import { similarTo } from './similar.ts'
import { spellingOf } from './spelling.ts'
import { suggestTitles } from './suggest.ts'
import { openVocabulary } from './vocabulary.ts'

/** An index in tables of its own, `search_…`, in the database of the site. The work is done by the database. */
export async function openPostgresSearch({ url }: { url: string }): Promise<Search> {
  // Apart, so that nobody who asks waits for what is being filed.
  const writers = openPool(url, { max: 2, patienceMs: 60_000 })
  const readers = openPool(url, { max: 4, patienceMs: 4000 })
  await prepareTables(writers)
  const store = postgresStore(readers)
  const vocabulary = openVocabulary()
  await learn(store, vocabulary)
  // Another process may have filed something: there is no number that tells.
  const index = { store, vocabulary, memory: openMemory(() => Number.NaN) }

  return {
    ...postgresWrites(writers),
    // The database does that by itself.
    settle: async () => {},
    search: (question) => answer(index, question),
    async find(question) {
      await learn(store, vocabulary)
      return findPages({ store, vocabulary, kind: question.kind }, question)
    },
    spell: (texts) => Promise.all(texts.map(spellingOf)),
    suggest: async (question) => suggestTitles(index, question),
    similar: (question) => similarTo(store, question),
    close: async () => void (await Promise.all([readers.end(), writers.end()])),
  }
}

function openPool(url: string, { max, patienceMs }: { max: number; patienceMs: number }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    // Compiling a plan takes longer than any of these questions.
    options: `-c jit=off -c statement_timeout=${patienceMs}`,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
