import type { Chapter } from '../src/server/samples/chapters.ts'

/** Chapters of random Chinese sentences with a natural frequency of hanzi: few are frequent, most are rare. */
export function chineseChapters(paragraphs: number): Chapter[] {
  const next = randomNumbers()
  const recent: string[] = []
  // A text repeats its vocabulary: 850 hanzi in a row have 372 different ones here, and about 255 in technical manuals.
  const hanzi = () => {
    const repeated = next() < 0.4 ? recent[Math.floor(next() * recent.length)] : undefined
    const character = repeated ?? common[rankAt(next())] ?? '的'
    if (recent.push(character) > 400) recent.shift()
    return character
  }
  const clause = () => Array.from({ length: 5 + Math.floor(next() * 9) }, hanzi).join('')
  const sentence = () => `${Array.from({ length: 1 + Math.floor(next() * 3) }, clause).join('，')}。`
  const paragraph = () => Array.from({ length: 4 + Math.floor(next() * 8) }, sentence).join('')
  return Array.from({ length: Math.ceil(paragraphs / 30) }, (_, index) => ({
    title: `第${index + 1}章 ${clause()}`,
    paragraphs: Array.from({ length: Math.min(30, paragraphs - index * 30) }, paragraph),
  }))
}

/** Cumulative frequency: the ten most frequent hanzi are a seventh of a text, the first thousand nine tenths. */
const cumulativeShares = [
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
  for (const [next, upTo] of cumulativeShares) {
    if (share < upTo) return Math.floor(rank + ((next - rank) * (share - below)) / (upTo - below))
    rank = next
    below = upTo
  }
  return 0
}

/** Pseudorandom numbers from 0 to 1, the same in every run. */
function randomNumbers(): () => number {
  let state = 20_261
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff
}

/** The 3755 hanzi of GB 2312 level 1, shuffled: there they are in the order of their pinyin. */
const common = shuffle(new TextDecoder('gb18030').decode(gbLevelOne()).split(''))

function gbLevelOne(): Uint8Array {
  const bytes: number[] = []
  for (let row = 0xb0; row <= 0xd7; row++)
    for (let cell = 0xa1; cell <= (row === 0xd7 ? 0xf9 : 0xfe); cell++) bytes.push(row, cell)
  return Uint8Array.from(bytes)
}

function shuffle(list: string[]): string[] {
  const next = randomNumbers()
  return list
    .map((hanzi) => ({ hanzi, position: next() }))
    .toSorted((a, b) => a.position - b.position)
    .map(({ hanzi }) => hanzi)
}
