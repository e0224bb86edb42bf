import type { Kind } from './search.ts'

/** The last row there is, and the newest with one of these tokens. */
type Newest = (kind: Kind, tokens: string[], limit: number) => { last: number; rows: number[] }

/** Enough to guess how rare they are from how far back they reach. */
const few = 60
const mostKnown = 4000
/** To read a text takes as long as to pass so many rows of a list. */
const textInRows = 150

/** Where the texts are looked into anyhow, the rarest tokens are enough, and the long lists of the others are left alone. */
export function telling(newest: Newest): (kind: Kind, any: string[][]) => string[][] {
  // A guess, and kept: lists grow slowly.
  const known = new Map<string, number>()
  /** How many rows there are for each that has one of them; Infinity when hardly any has. */
  const rowsEach = (kind: Kind, tokens: string[]): number => {
    const key = `${kind} ${tokens.join(' ')}`
    const before = known.get(key)
    if (before !== undefined) return before
    const { last, rows } = newest(kind, tokens, few)
    const each = rows.length < few ? Infinity : (last - (rows.at(-1) ?? 0)) / few
    if (known.size >= mostKnown) known.clear()
    known.set(key, each)
    return each
  }
  return (kind, any) => {
    if (any.length < 2) return any
    const byRarity = any
      .map((tokens) => ({ tokens, rows: rowsEach(kind, tokens) }))
      .toSorted((one, other) => (one.rows === other.rows ? 0 : other.rows - one.rows))
    const told: string[][] = []
    // How many rows there are for each that has all of those so far, as if they had nothing to do with each other.
    let rowsPerText = 1
    for (const { tokens, rows } of byRarity) {
      if (told.length > 0 && rowsPerText > rows * textInRows) break
      told.push(tokens)
      rowsPerText *= rows
    }
    return told
  }
}
