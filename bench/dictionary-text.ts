import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Corpus {
  /** The same for the same number in every run. */
  title(document: number): string
  page(document: number, page: number): string
  /** By its rank of frequency among those of two characters or more. */
  word(rank: number): string
}

/** Texts of the words of a Chinese dictionary, each as often as in the texts it was counted in: few often, most hardly ever. */
export function dictionaryCorpus(): Corpus {
  const words = readDictionary()
  const longer = words.filter(({ word }) => word.length > 1)
  const sums = new Float64Array(words.length)
  let sum = 0
  for (const [rank, { times }] of words.entries()) sums[rank] = sum += times

  const draw = (share: number): string => {
    let [low, high] = [0, words.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < share * sum) low = middle + 1
      else high = middle
    }
    return words[low]?.word ?? '的'
  }
  const text = (seed: number, length: number) => {
    const next = numbers(seed)
    let made = ''
    let clause = 0
    while (made.length < length) {
      made += draw(next())
      if (++clause < 5 + next() * 8) continue
      made += next() < 0.6 ? '，' : '。\n'
      clause = 0
    }
    return made
  }
  return {
    title: (document) => text(document * 7919 + 3, 14).replace(/[，。\n]/gu, ''),
    page: (document, page) => text(document * 104_729 + page * 31 + 1, 400),
    word: (rank) => longer[rank]?.word ?? '中国',
  }
}

function readDictionary(): { word: string; times: number }[] {
  const file = createRequire(import.meta.url).resolve('@node-rs/jieba/dict.txt')
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([word = '']) => /^\p{Script=Han}+$/u.test(word))
    .map(([word = '', times]) => ({ word, times: Number(times) }))
    .toSorted((one, other) => other.times - one.times)
}

function numbers(seed: number): () => number {
  let state = (seed % 0x7ffffffe) + 1
  for (let round = 0; round < 3; round++) state = (state * 48_271) % 0x7fffffff
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff
}
