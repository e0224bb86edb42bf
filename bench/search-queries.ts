import type { dictionaryCorpus } from './dictionary-text.ts'

export const pagesPerDocument = 10

type Corpus = ReturnType<typeof dictionaryCorpus>

export interface BenchQuery {
  words: string
  /** The page that the words were copied from. */
  source?: { id: number; page: number }
}

export type QueriesByKind = Record<string, BenchQuery[]>

/** Words of all frequencies, alone and combined, and passages copied from pages; different ones in each series. */
export function createQueries(corpus: Corpus, documents: number, series: number): QueriesByKind {
  const list = (count: number, words: (index: number) => string): BenchQuery[] =>
    Array.from({ length: count }, (_, index) => ({ words: words(index) }))
  const word = (rank: number) => corpus.word(rank + series)
  return {
    'most frequent': list(40, (index) => word(index * 3)),
    frequent: list(60, (index) => word(300 + index * 40)),
    rare: list(60, (index) => word(20_000 + index * 900)),
    'very rare': list(40, (index) => word(120_000 + index * 2000)),
    'one character': list(20, (index) => word(index * 5).slice(0, 1)),
    'two frequent': list(40, (index) => `${word(index * 2)} ${word(150 + index * 5)}`),
    'frequent and rare': list(40, (index) => `${word(index)} ${word(15_000 + index * 700)}`),
    'three words': list(40, (index) => `${word(index * 4)} ${word(500 + index * 11)} ${word(3000 + index * 31)}`),
    passage: Array.from({ length: 60 }, (_, index) => {
      const source = { id: 1 + (((index + series) * 7877) % documents), page: 1 + (index % pagesPerDocument) }
      return { words: corpus.page(source.id, source.page).slice(index, index + 4 + (index % 9)), source }
    }),
    'no match': list(20, (index) => `${word(index)}${word(90_000 + index * 100)}`),
  }
}
