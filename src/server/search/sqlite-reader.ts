import { workerData } from 'node:worker_threads'
import { answer, learn } from './engine.ts'
import { findPages } from './find-pages.ts'
import type { FindQuestion, Kind, Question, SimilarQuestion, SuggestQuestion } from './search.ts'
import { similarTo } from './similar.ts'
import { isDamage, openFile, sameFile } from './sqlite-file.ts'
import { listKnown } from './sqlite-list.ts'
import { sqliteStore } from './sqlite-store.ts'
import { spellingOf } from './spelling.ts'
import { type Ask, serveCalls, stepBack } from './thread-side.ts'
import { suggestTitles } from './suggest.ts'
import { openVocabulary } from './vocabulary.ts'

/** A thread that answers questions, on a connection of its own. */

const { file } = workerData as { file: string }
const database = openFile(file)
const store = sqliteStore(database)
const vocabulary = openVocabulary()
const check = sameFile(file)

type Methods = Record<string, (argument: never, ask: Ask) => Promise<unknown>>

const methods: Methods = {
  search: (question: Question & { asks: string[] }, ask) =>
    answer(store, vocabulary, {
      ...question,
      accept: (ids) => ask('accept', ids),
      ...(question.asks.includes('arrange') && { arrange: (ids: number[]) => ask('arrange', ids) }),
      ...(question.asks.includes('lastPages') && { lastPages: (ids: number[]) => ask('lastPages', ids) }),
    }),
  find: async (question: FindQuestion) => {
    await learn(store, vocabulary)
    return findPages({ store, vocabulary, kind: question.kind }, question)
  },
  suggest: (question: SuggestQuestion, ask) =>
    suggestTitles(store, vocabulary, { ...question, accept: (ids) => ask('accept', ids) }),
  list: async ({ kind, range }: { kind: Kind; range: { after: number; limit: number } }) =>
    listKnown(database, kind, range),
  spell: (texts: string[]) => Promise.all(texts.map(spellingOf)),
  similar: (question: SimilarQuestion, ask) => similarTo(store, { ...question, accept: (ids) => ask('accept', ids) }),
}

// Somebody waits for the answer, too, but one search must not slow down a hundred other requests.
stepBack(9)
serveCalls((method, argument, ask) => {
  check()
  return methods[method]?.(argument as never, ask)
}, isDamage)
