import type { SearchStep } from '#shared/enums.ts'

/**
 * The full-text index: it stores the texts of documents and articles and finds them by any substring of two characters or
 * more. It knows no permissions: the caller passes a `visibility` filter with every query.
 */
export interface FulltextIndex {
  putMetadata(metadata: Metadata): Promise<void>
  /** Adds or replaces pages, in batches. */
  putPages(pages: Pages): Promise<void>
  /** Deletes the pages after this one: the document has become shorter. */
  cutPages(entry: Entry & { after: number }): Promise<void>
  remove(kind: EntryKind, ids: readonly number[]): Promise<void>
  /** What is indexed, by ascending id, to compare with what should be. */
  list(kind: EntryKind, range: { after: number; limit: number }): Promise<IndexedEntry[]>
  empty(): Promise<void>
  /** Merges the index's segments or pending lists in the background, so that queries cost less. */
  optimize(): Promise<void>
  search(query: SearchQuery): Promise<SearchResults>
  /** Titles that contain the words, or whose pinyin contains the letters, best first. */
  suggest(query: SuggestQuery): Promise<TitleSuggestion[]>
  /** The pinyin of each text: initials, a space, full syllables; empty for a text without hanzi. */
  toPinyin(texts: readonly string[]): Promise<string[]>
  /** Every page of one entry with hits, in page order. */
  find(query: FindQuery): Promise<PageHits[]>
  /** Entries with similar content, most similar first. */
  similar(query: SimilarQuery): Promise<number[]>
  /** Words that say what an entry is about; undefined while its text is not indexed. */
  keywords(query: KeywordsQuery): Promise<Keywords | undefined>
  close(): Promise<void>
}

export type EntryKind = 'document' | 'article'

export interface Entry {
  kind: EntryKind
  id: number
}

export interface Metadata extends Entry {
  title: string
  keywords: string
  description: string
  /** Tie-breaker between entries that match equally well: from 0 to 100. */
  quality: number
  /** Fingerprint of the source, returned by `list`. */
  version: string
  /** Write even if nothing seems to have changed: the stored index data may be damaged. */
  force?: true
}

export interface Pages extends Entry {
  pages: readonly PageText[]
  /** Fingerprint of the source, returned by `list`. Empty until the last batch, which indexes the entry as a whole. */
  version: string
  /** Write even if nothing seems to have changed: the stored index data may be damaged. */
  force?: true
}

/** Pages are numbered from 1; an article's body starts at page 1. */
export interface PageText {
  page: number
  text: string
}

export interface IndexedEntry {
  id: number
  metadataVersion: string
  pagesVersion: string
}

export interface SearchQuery {
  kind: EntryKind
  words: string
  /** Searches only titles, or only metadata; by default pages too. */
  within?: 'title' | 'metadata'
  visibility: VisibilityFilter
  /** Sorts the matching ids; by default they are ranked by relevance. */
  sortBy?: (ids: number[]) => Promise<number[]>
  /** The last page of each entry that a snippet may quote; by default any page may be quoted. */
  previewPages?: (ids: number[]) => Promise<number[]>
  offset: number
  limit: number
  /** Matches beyond this number are neither counted nor returned. */
  maxTotal: number
  /** Searches also for the words of other regions: 数据库 for 資料庫. */
  regional?: boolean
  /** Where no entry has all words, answers with less, step by step: `SearchResults.step` says with what. */
  fallback?: boolean
  /** Return the ids of this many matches, to count what they have in common. */
  matchingIds?: number
}

/**
 * Which entries the caller may see and has asked for: a statement on the site's database that selects the `id`s among a
 * list of ids. The index runs it, some hundred ids at a time; an error in it fails the query. Built by `visibilityFilter`.
 */
export interface VisibilityFilter {
  sql: string
  parameters: readonly unknown[]
  /** Index of the parameter that takes the ids: JSON text on SQLite, an array on PostgreSQL. */
  idsParameter: number
}

export interface SearchResults {
  total: number
  /** `total` is a lower bound: `maxTotal` or the time budget was reached. */
  hasMore: boolean
  hits: SearchHit[]
  step: SearchStep
  /** How many of the matches have all words as typed. They come first. */
  exact: number
  /** Words that the caller may have meant; they find something. */
  suggestion: string
  /** Words asked for that the results of a fallback have; undefined where no fallback was needed. */
  used?: string[]
  /** Only if `matchingIds` asks for them. */
  ids?: number[]
}

export interface SearchHit {
  id: number
  /** What was found in it, where that is not what was typed. */
  words?: string
  titleRanges: TextRange[]
  /** How many pages up to `previewPages` have hits. */
  matchingPages: number
  /** The page to open, with its hits; never beyond `previewPages`. */
  bestPage?: PageHits
  /** From the best page, or from the description when no page may be quoted. */
  excerpt?: Excerpt
}

export interface PageHits {
  page: number
  hits: number
}

export interface Excerpt {
  text: string
  ranges: TextRange[]
}

/** Start (inclusive) and end (exclusive), as string indices. */
export type TextRange = [from: number, to: number]

export interface FindQuery extends Entry {
  words: string
  /** What does not stand on a page up to this one is not found beyond it either; by default every page counts. */
  previewPages?: number
}

export interface SuggestQuery {
  kind: EntryKind
  words: string
  visibility: VisibilityFilter
  limit: number
}

export interface TitleSuggestion {
  id: number
  /** Where the title contains the words; empty for a match by pinyin. */
  titleRanges: TextRange[]
}

export interface SimilarQuery extends Entry {
  visibility: VisibilityFilter
  limit: number
}

export interface KeywordsQuery extends Entry {
  limit: number
}

export interface Keywords {
  words: string[]
  /** How many entries the words were compared with. */
  entries: number
}
