import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Corpus {
  /** The same in every run. */
  title(document: number): string
  page(document: number, page: number): string
  /** A word of two or more characters by its rank of frequency. */
  word(rank: number): string
}

/** Random texts of the words of a Chinese dictionary, with their frequencies in real texts: few are frequent, most are rare. */
export function dictionaryCorpus(): Corpus {
  const words = readDictionary()
  const longWords = words.filter(({ word }) => word.length > 1)
  const cumulative = new Float64Array(words.length)
  let total = 0
  for (const [rank, { count }] of words.entries()) cumulative[rank] = total += count

  const pickWord = (share: number): string => {
    let [low, high] = [0, words.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulative[middle] ?? 0) < share * total) low = middle + 1
      else high = middle
    }
    return words[low]?.word ?? '的'
  }
  const text = (seed: number, length: number) => {
    const next = randomNumbers(seed)
    let result = ''
    let wordsInClause = 0
    while (result.length < length) {
      result += pickWord(next())
      if (++wordsInClause < 5 + next() * 8) continue
      result += next() < 0.6 ? '，' : '。\n'
      wordsInClause = 0
    }
    return result
  }
  return {
    title: (document) => text(document * 7919 + 3, 14).replace(/[，。\n]/gu, ''),
    page: (document, page) => text(document * 104_729 + page * 31 + 1, 400),
    word: (rank) => longWords[rank]?.word ?? '中国',
  }
}

function readDictionary(): { word: string; count: number }[] {
  const file = createRequire(import.meta.url).resolve('@node-rs/jieba/dict.txt')
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([word = '']) => /^\p{Script=Han}+$/u.test(word))
    .map(([word = '', count]) => ({ word, count: Number(count) }))
    .toSorted((a, b) => b.count - a.count)
}

function randomNumbers(seed: number): () => number {
  let state = (seed % 0x7ffffffe) + 1
  for (let round = 0; round < 3; round++) state = (state * 48_271) % 0x7fffffff
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff
}
