import type { Kind } from '../fulltext.ts'

interface Pages {
  /** The newest with one of these tokens, the last first. */
  newest(kind: Kind, tokens: string[], limit: number): number[]
  /** The newest of all. */
  last(kind: Kind, limit: number): number[]
}

/** Enough to guess how rare they are from how far back they reach. */
const few = 60
/** Enough to guess how far apart the numbers of pages are: each document begins far from the one before. */
const some = 600
const mostKnown = 4000
/** To read a text takes as long as to pass so many rows of a list. */
const textInRows = 150

/** Where the texts are looked into anyhow, the rarest tokens are enough, and the long lists of the others are left alone. */
export function telling(pages: Pages): (kind: Kind, any: string[][]) => string[][] {
  // Guesses, and kept: lists grow slowly.
  const known = new Map<string, number>()
  const remembered = (key: string, guess: () => number): number => {
    const before = known.get(key)
    if (before !== undefined) return before
    const now = guess()
    if (known.size >= mostKnown) known.clear()
    known.set(key, now)
    return now
  }
  const numbersEach = (kind: Kind) =>
    remembered(kind, () => {
      const rows = pages.last(kind, some)
      return Math.max(1, ((rows[0] ?? 0) - (rows.at(-1) ?? 0)) / rows.length)
    })
  /** How many pages there are for each that has one of them; Infinity when hardly any has. */
  const pagesEach = (kind: Kind, tokens: string[]) =>
    remembered(`${kind} ${tokens.join(' ')}`, () => {
      const rows = pages.newest(kind, tokens, few)
      if (rows.length < few) return Infinity
      const [last = 0] = pages.last(kind, 1)
      return (last - (rows.at(-1) ?? 0)) / few / numbersEach(kind)
    })
  return (kind, any) => {
    if (any.length < 2) return any
    const byRarity = any
      .map((tokens) => ({ tokens, each: pagesEach(kind, tokens) }))
      .toSorted((one, other) => (one.each === other.each ? 0 : other.each - one.each))
    const told: string[][] = []
    // How many pages there are for each that has all of those so far, as if they had nothing to do with each other.
    let eachOfAll = 1
    for (const { tokens, each } of byRarity) {
      if (told.length > 0 && eachOfAll > each * textInRows) break
      told.push(tokens)
      eachOfAll *= each
    }
    return told
  }
}
