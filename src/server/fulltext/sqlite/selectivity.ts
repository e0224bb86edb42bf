import { LRUCache } from 'lru-cache'
import type { EntryKind } from '../fulltext.ts'

interface PageRows {
  /** The newest rows with one of these tokens, descending. */
  newestWith(kind: EntryKind, tokens: string[], limit: number): number[]
  /** The newest rows of all, descending. */
  newest(kind: EntryKind, limit: number): number[]
}

/** Rows with a token, enough to estimate its frequency from how far back they reach. */
const tokenSample = 60
/** Rows of pages, enough to estimate the gaps between their numbers: each document begins far from the one before. */
const pageSample = 600
/** Reading a text for the recheck takes as long as reading this many rows of a posting list. */
const recheckCostInRows = 150

/**
 * Estimates the selectivity of tokens and chooses those worth looking up. Where texts are rechecked anyway, the rarest
 * tokens suffice: reading the long posting list of a frequent one would cost more than the rechecks it saves.
 */
export function mostSelective(pages: PageRows): (kind: EntryKind, anyOf: string[][]) => string[][] {
  // Estimates may be old: posting lists grow slowly.
  const estimates = new LRUCache<string, number>({ max: 4000 })
  const cached = (key: string, estimate: () => number): number => {
    const existing = estimates.get(key)
    if (existing !== undefined) return existing
    const value = estimate()
    estimates.set(key, value)
    return value
  }
  const rowsPerPage = (kind: EntryKind) =>
    cached(kind, () => {
      const rows = pages.newest(kind, pageSample)
      return Math.max(1, ((rows[0] ?? 0) - (rows.at(-1) ?? 0)) / rows.length)
    })
  /** 1 / selectivity: how many pages there are per page with one of the tokens; Infinity when hardly any has one. */
  const pagesPerMatch = (kind: EntryKind, tokens: string[]) =>
    cached(`${kind} ${tokens.join(' ')}`, () => {
      const rows = pages.newestWith(kind, tokens, tokenSample)
      if (rows.length < tokenSample) return Infinity
      const [newest = 0] = pages.newest(kind, 1)
      return (newest - (rows.at(-1) ?? 0)) / tokenSample / rowsPerPage(kind)
    })
  return (kind, anyOf) => {
    if (anyOf.length < 2) return anyOf
    const rarestFirst = anyOf
      .map((tokens) => ({ tokens, rarity: pagesPerMatch(kind, tokens) }))
      .toSorted((a, b) => (a.rarity === b.rarity ? 0 : b.rarity - a.rarity))
    const chosen: string[][] = []
    // Of all chosen tokens together, as if they were independent of each other.
    let combinedRarity = 1
    for (const { tokens, rarity } of rarestFirst) {
      if (chosen.length > 0 && combinedRarity > rarity * recheckCostInRows) break
      chosen.push(tokens)
      combinedRarity *= rarity
    }
    return chosen
  }
}
