import type { Entry, Kind, PageText } from '../fulltext.ts'

/** What the engine needs of a database to answer questions. Ids come newest first. */
export interface Store {
  /** Entries that match, found by looking at up to `rows` rows, and the row to go on below; none when there is no more. */
  walk(match: Match, range: Walk): Promise<Walked>
  /** Those of these entries that match, each part anywhere in them. */
  among(match: Match, kind: Kind, ids: readonly number[]): Promise<number[]>
  /** How many have these tokens, counted up to a limit, without looking into texts. */
  count(match: Match, range: Count): Promise<number>
  /** The pages of an entry with all these tokens, in order. */
  pagesOf(match: Match, entry: Entry): Promise<number[]>
  /** Pages as they are compared, in order, from one on. */
  foldedFrom(entry: Entry, from: number, limit: number): Promise<PageText[]>
  /** Those of these pages that are there, in order. */
  folded(entry: Entry, pages: readonly number[]): Promise<PageText[]>
  /** The pages of these entries with one of these parts, and perhaps some more. */
  foldedWith(parts: readonly string[], kind: Kind, ids: readonly number[]): Promise<PageOf[]>
  /** Those of these pages that are there, as they were written. */
  texts(kind: Kind, pages: readonly Omit<PageOf, 'text'>[]): Promise<PageOf[]>
  heads(kind: Kind, ids: readonly number[]): Promise<StoredHead[]>
  /** As they are compared. */
  foldedHeads(kind: Kind, ids: readonly number[]): Promise<FoldedHead[]>
  qualities(kind: Kind, ids: readonly number[]): Promise<Map<number, number>>
  /** Entries whose title is spelled with these letters. */
  spelled(letters: string, range: { kind: Kind; belowId: number | undefined; limit: number }): Promise<number[]>
  /** Words that have come since the one with this number. */
  wordsAfter(last: number): Promise<{ words: string[]; last: number }>
}

export interface Match {
  /** At least one token of each list. */
  any: string[][]
  /** All of these, as substrings of the folded text; empty where the tokens say enough. */
  has: string[]
  /** Some of the tokens are those of whole entries; pages cannot be found by them. */
  isBroad: boolean
  /** What the tokens say, as substrings: to look for these in texts may be quicker than to go through long lists. */
  orHas?: string[]
}

export interface Walk {
  kind: Kind
  where: Where
  /** A row: the pages of one entry may be more than are looked at in one go. */
  below: number | undefined
  rows: number
}

export interface Count {
  kind: Kind
  where: Where
  upTo: number
}

/** In an entry, each part of a match may be on another page or in the head. */
export type Where = 'title' | 'head' | 'entry' | 'pages'

export interface Walked {
  found: Candidate[]
  next: number | undefined
}

export interface Candidate {
  id: number
  /** How many of its pages were met. */
  pages: number
}

export interface PageOf extends PageText {
  id: number
}

export interface StoredHead {
  id: number
  title: string
  keywords: string
  description: string
  pages: number
}

export type FoldedHead = Pick<StoredHead, 'id' | 'title' | 'keywords'>

/** Entries and their pages have numbers by which they are kept, close together, which keeps lists of them short. */
const pagesPerEntry = 2 ** 16
export const lastPage = pagesPerEntry - 1
const idsPerKind = 2 ** 34
const firstEntry = { document: 0, article: idsPerKind } as const

export function entryRow({ kind, id }: Entry): number {
  return firstEntry[kind] + id
}

export function pageRow(entry: Entry, page: number): number {
  return entryRow(entry) * pagesPerEntry + page
}

export function pageOf(row: number): number {
  return row % pagesPerEntry
}

/** Of an entry's row, or of a page's. */
export function idOf(kind: Kind, where: Where, row: number): number {
  return (where === 'pages' ? Math.floor(row / pagesPerEntry) : row) - firstEntry[kind]
}

/** The first and the last row of a kind, or the last below another. */
export function rowsOf(kind: Kind, where: Where, below?: number): [low: number, high: number] {
  const [first, end] = [entryRow({ kind, id: 0 }), entryRow({ kind, id: idsPerKind })]
  const scale = where === 'pages' ? pagesPerEntry : 1
  return [first * scale, (below ?? end * scale) - 1]
}

/** The row below which lie the entry of this page and all that are older. */
export function entryBelow(kind: Kind, page: number): number {
  return entryRow({ kind, id: idOf(kind, 'pages', page) + 1 })
}

/** Where to go on behind this row: an entry that has been found need not be met again. */
export function rowBehind(kind: Kind, where: Where, row: number, found: Candidate | undefined): number {
  const id = idOf(kind, where, row)
  return where === 'pages' && found?.id === id ? pageRow({ kind, id }, 0) : row
}
