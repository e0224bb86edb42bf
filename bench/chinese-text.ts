import type { Chapter } from '../src/server/samples/chapters.ts'

/** Chapters of Chinese sentences, each different: few hanzi frequent, most of them rare. */
export function chineseChapters(paragraphs: number): Chapter[] {
  const next = numbers()
  const said: string[] = []
  // A subject's words come back. 850 hanzi in a row have 372 different ones; in technical manuals it is about 255.
  const hanzi = () => {
    const again = next() < 0.4 ? said[Math.floor(next() * said.length)] : undefined
    const chosen = again ?? common[rankAt(next())] ?? '的'
    if (said.push(chosen) > 400) said.shift()
    return chosen
  }
  const clause = () => Array.from({ length: 5 + Math.floor(next() * 9) }, hanzi).join('')
  const sentence = () => `${Array.from({ length: 1 + Math.floor(next() * 3) }, clause).join('，')}。`
  const paragraph = () => Array.from({ length: 4 + Math.floor(next() * 8) }, sentence).join('')
  return Array.from({ length: Math.ceil(paragraphs / 30) }, (_, index) => ({
    title: `第${index + 1}章 ${clause()}`,
    paragraphs: Array.from({ length: Math.min(30, paragraphs - index * 30) }, paragraph),
  }))
}

/** Roughly how much of a text the most frequent hanzi make up: the first ten a seventh, the first thousand nine tenths. */
const shares = [
  [0, 0],
  [10, 0.14],
  [100, 0.42],
  [500, 0.76],
  [1000, 0.89],
  [2000, 0.97],
  [3755, 1],
] as const

function rankAt(share: number): number {
  let [rank, below] = [0, 0]
  for (const [next, upTo] of shares) {
    if (share < upTo) return Math.floor(rank + ((next - rank) * (share - below)) / (upTo - below))
    rank = next
    below = upTo
  }
  return 0
}

/** The same ones in every run, from 0 up to 1. */
function numbers(): () => number {
  let state = 20_261
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff
}

/** The 3755 hanzi that GB 2312 counts as common, in an order that has nothing to do with how they are read. */
const common = mixed(new TextDecoder('gb18030').decode(gbLevelOne()).split(''))

function gbLevelOne(): Uint8Array {
  const bytes: number[] = []
  for (let row = 0xb0; row <= 0xd7; row++)
    for (let cell = 0xa1; cell <= (row === 0xd7 ? 0xf9 : 0xfe); cell++) bytes.push(row, cell)
  return Uint8Array.from(bytes)
}

function mixed(list: string[]): string[] {
  const next = numbers()
  return list
    .map((hanzi) => ({ hanzi, at: next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ hanzi }) => hanzi)
}
