import type { DatabaseSync } from 'node:sqlite'
import { answer, learn } from '../engine/rank.ts'
import { openMemory } from '../engine/result-cache.ts'
import { findPages } from '../engine/find-pages.ts'
import type { Accept, FindQuestion, Kind, Question, SimilarQuestion, Statement, SuggestQuestion } from '../fulltext.ts'
import { similarTo } from '../engine/similar.ts'
import { siteStatements } from './site-statements.ts'
import { isDamage, openFile, sameFile, versionOf } from './file.ts'
import { listKnown } from './list.ts'
import { sqliteStore } from './store.ts'
import { spellingOf } from '../text/spelling.ts'
import { type Ask, serveCalls } from './worker-side.ts'
import { suggestTitles } from '../engine/suggest.ts'
import { openVocabulary } from '../text/vocabulary.ts'

/** A process that answers questions, on a connection of its own. */

const countingMs = 20

interface Given {
  file: string
  site?: string
}

interface Put {
  statement?: Statement
}

type Methods = Record<string, (argument: never, ask: Ask) => Promise<unknown>>

serveCalls({
  // Somebody waits for the answer, too, but one search must not slow down a hundred other requests.
  stepsBack: 5,
  isDamage,
  begin({ file, site }: Given) {
    const database = openFile(file)
    const check = sameFile(file)
    const methods = reading(database, site === undefined ? undefined : siteStatements(site))
    return {
      answer(method, argument, ask) {
        check()
        return methods[method]?.(argument as never, ask)
      },
      close: () => database.close(),
    }
  },
})

function reading(database: DatabaseSync, putToSite: ReturnType<typeof siteStatements> | undefined): Methods {
  const store = sqliteStore(database)
  const vocabulary = openVocabulary()
  const index = { store, vocabulary, memory: openMemory(versionOf(database)), countingMs }

  /** Where it cannot be put to the site's database, whoever made the call is asked. */
  const acceptBy =
    ({ statement }: Put, ask: Ask): Accept =>
    async (ids) => {
      if (!statement || !putToSite) return ask('accept', ids)
      try {
        return putToSite(statement, ids)
      } catch {
        return ask('accept', ids)
      }
    }

  return {
    search: (question: Question & { asks: string[] } & Put, ask) =>
      answer(index, {
        ...question,
        accept: acceptBy(question, ask),
        ...(question.asks.includes('arrange') && { arrange: (ids: number[]) => ask('arrange', ids) }),
        ...(question.asks.includes('lastPages') && { lastPages: (ids: number[]) => ask('lastPages', ids) }),
      }),
    find: async (question: FindQuestion) => {
      await learn(store, vocabulary)
      return findPages({ store, vocabulary, kind: question.kind }, question)
    },
    suggest: (question: SuggestQuestion & Put, ask) =>
      suggestTitles(index, { ...question, accept: acceptBy(question, ask) }),
    list: async ({ kind, range }: { kind: Kind; range: { after: number; limit: number } }) =>
      listKnown(database, kind, range),
    spell: (texts: string[]) => Promise.all(texts.map(spellingOf)),
    similar: (question: SimilarQuestion & Put, ask) =>
      similarTo(store, { ...question, accept: acceptBy(question, ask) }),
  }
}
