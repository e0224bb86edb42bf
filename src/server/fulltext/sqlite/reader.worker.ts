import type { DatabaseSync } from 'node:sqlite'
import { extractKeywords } from '../engine/keywords.ts'
import { findPages } from '../engine/find-pages.ts'
import { createResultCache } from '../engine/result-cache.ts'
import { type Engine, updateVocabulary } from '../engine/engine.ts'
import { executeSearch } from '../engine/search.ts'
import { findSimilar } from '../engine/similar.ts'
import { suggestTitles } from '../engine/suggest.ts'
import type { EntryKind, FindQuery, KeywordsQuery, SearchQuery, SimilarQuery, SuggestQuery } from '../fulltext.ts'
import { toPinyin } from '../text/pinyin.ts'
import { createVocabulary } from '../text/vocabulary.ts'
import { assertSameFile, dataVersion, isCorruption, openFile } from './file.ts'
import { listEntries } from './list-entries.ts'
import { sqliteStore } from './store.ts'
import { visibleIds } from './visible-ids.ts'
import { type RunCallback, serveRequests } from './worker-server.ts'

/** A process that answers queries, on a connection of its own. */

const countingBudgetMs = 20

/** A query as it is sent here: its callbacks stay with the caller and are named. */
export interface SentSearchQuery extends Omit<SearchQuery, CallbackName> {
  callbacks: string[]
}

type CallbackName = 'sortBy' | 'previewPages'

type Methods = Record<string, (argument: never, runCallback: RunCallback) => Promise<unknown>>

serveRequests({
  // A visitor waits for the answer, but one search must not slow down a hundred other requests.
  niceness: 5,
  isCorruption,
  start({ file, site }: { file: string; site: string }) {
    const database = openFile(file)
    const assertFile = assertSameFile(file)
    const methods = queryMethods(database, site)
    return {
      handle(method, argument, runCallback) {
        assertFile()
        return methods[method]?.(argument as never, runCallback)
      },
      close: () => database.close(),
    }
  },
})

function queryMethods(database: DatabaseSync, site: string): Methods {
  const store = sqliteStore(database)
  const vocabulary = createVocabulary()
  const filterIds = visibleIds(site)
  const engine: Engine = {
    store,
    vocabulary,
    cache: createResultCache(dataVersion(database)),
    countingBudgetMs,
    visibleIds: async (filter, ids) => filterIds(filter, ids),
  }

  return {
    search({ callbacks, ...query }: SentSearchQuery, runCallback) {
      const callback = (name: CallbackName) =>
        callbacks.includes(name) ? { [name]: (ids: number[]) => runCallback(name, ids) } : {}
      return executeSearch(engine, { ...query, ...callback('sortBy'), ...callback('previewPages') })
    },
    find: async (query: FindQuery) => {
      await updateVocabulary(store, vocabulary)
      return findPages({ store, vocabulary, kind: query.kind }, query)
    },
    suggest: (query: SuggestQuery) => suggestTitles(engine, query),
    list: async ({ kind, range }: { kind: EntryKind; range: { after: number; limit: number } }) =>
      listEntries(database, kind, range),
    toPinyin: (texts: string[]) => Promise.all(texts.map(toPinyin)),
    similar: (query: SimilarQuery) => findSimilar(engine, query),
    keywords: (query: KeywordsQuery) => extractKeywords(engine, query),
  }
}
