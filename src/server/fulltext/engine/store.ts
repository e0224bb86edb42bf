import type { Entry, EntryKind, PageText } from '../fulltext.ts'

/** What the engine needs of a database. Ids come newest first; "folded" texts are normalised for comparison by `fold`. */
export interface Store {
  /** Reads up to `rows` rows of the index; returns the entries that match and the row to continue below, if any. */
  scan(match: Match, range: ScanRange): Promise<ScanResult>
  /** Those of these entries that match; each part may be anywhere in the entry. */
  filterMatching(match: Match, kind: EntryKind, ids: readonly number[]): Promise<number[]>
  /** How many rows have the tokens, counted up to a limit, without a recheck of the texts. */
  count(match: Match, range: CountRange): Promise<number>
  /** The pages of an entry that have the tokens, in page order. */
  matchingPages(match: Match, entry: Entry): Promise<number[]>
  /** Folded pages in page order, starting at a page. */
  foldedPagesFrom(entry: Entry, from: number, limit: number): Promise<PageText[]>
  /** Those of these pages that exist, folded, in page order. */
  foldedPages(entry: Entry, pages: readonly number[]): Promise<PageText[]>
  /** The pages of these entries that contain one of the substrings; false positives are possible. */
  foldedPagesContaining(substrings: readonly string[], kind: EntryKind, ids: readonly number[]): Promise<EntryPage[]>
  /** Those of these pages that exist, with their original text. */
  pageTexts(kind: EntryKind, pages: readonly Omit<EntryPage, 'text'>[]): Promise<EntryPage[]>
  metadata(kind: EntryKind, ids: readonly number[]): Promise<StoredMetadata[]>
  foldedMetadata(kind: EntryKind, ids: readonly number[]): Promise<FoldedMetadata[]>
  qualities(kind: EntryKind, ids: readonly number[]): Promise<Map<number, number>>
  /** Entries whose title's pinyin contains these letters, with that pinyin. */
  findByPinyin(
    letters: string,
    range: { kind: EntryKind; belowId: number | undefined; limit: number },
  ): Promise<{ id: number; pinyin: string }[]>
  countEntries(kind: EntryKind): Promise<number>
  highestId(kind: EntryKind): Promise<number>
  /** Words of the vocabulary that were added after the one with this number. */
  wordsAfter(last: number): Promise<{ words: string[]; last: number }>
}

export interface Match {
  /** Conjunctive normal form: at least one token of each list. */
  anyOf: string[][]
  /** Recheck: the folded text must contain all of these substrings. Empty where the tokens prove the match. */
  contains: string[]
  /** Some of the tokens are indexed only for whole entries, so that single pages cannot be found by them. */
  isEntryLevel: boolean
  /** Substrings that prove the same as the tokens: a store may recheck these instead of reading long posting lists. */
  orContains?: string[]
}

export interface ScanRange {
  kind: EntryKind
  scope: Scope
  /** Exclusive upper bound: a row of the scope, so that a scan can stop between two pages of an entry. */
  below: number | undefined
  rows: number
}

export interface CountRange {
  kind: EntryKind
  scope: Scope
  limit: number
}

/** Where all parts of a match must be. In an `entry`, each may be on another page or in the metadata. */
export type Scope = 'title' | 'metadata' | 'entry' | 'pages'

export interface ScanResult {
  candidates: Candidate[]
  next: number | undefined
}

export interface Candidate {
  id: number
  /** How many of its matching pages the scan has read. */
  pages: number
}

export interface EntryPage extends PageText {
  id: number
}

export interface StoredMetadata {
  id: number
  title: string
  keywords: string
  description: string
  pages: number
}

export type FoldedMetadata = Pick<StoredMetadata, 'id' | 'title' | 'keywords'>

/** Row numbers of entries and pages are dense, which keeps posting lists short: page = entry × 65,536 + page number. */
const pagesPerEntry = 2 ** 16
export const maxPage = pagesPerEntry - 1
const idsPerKind = 2 ** 34
const firstEntry = { document: 0, article: idsPerKind } as const

export function entryRow({ kind, id }: Entry): number {
  return firstEntry[kind] + id
}

export function pageRow(entry: Entry, page: number): number {
  return entryRow(entry) * pagesPerEntry + page
}

export function toPageNumber(row: number): number {
  return row % pagesPerEntry
}

/** The id of the entry that a row of this scope belongs to. */
export function toEntryId(kind: EntryKind, scope: Scope, row: number): number {
  return (scope === 'pages' ? Math.floor(row / pagesPerEntry) : row) - firstEntry[kind]
}

/** The first and last row of a kind, or the last one below another row; both inclusive. */
export function rowRange(kind: EntryKind, scope: Scope, below?: number): [low: number, high: number] {
  const [first, end] = [entryRow({ kind, id: 0 }), entryRow({ kind, id: idsPerKind })]
  const scale = scope === 'pages' ? pagesPerEntry : 1
  return [first * scale, (below ?? end * scale) - 1]
}

/** The entry row below which a scan finds the entry of this page row and all older ones. */
export function entryRowAbove(kind: EntryKind, page: number): number {
  return entryRow({ kind, id: toEntryId(kind, 'pages', page) + 1 })
}

/** Where a scan continues after this row: below all pages of an entry that is already a candidate. */
export function nextRowBelow(kind: EntryKind, scope: Scope, row: number, last: Candidate | undefined): number {
  const id = toEntryId(kind, scope, row)
  return scope === 'pages' && last?.id === id ? pageRow({ kind, id }, 0) : row
}
