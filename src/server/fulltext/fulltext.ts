/**
 * The search engine: it keeps texts and finds them again by any two characters in a row. It knows nothing of who may see
 * what; whoever asks says that with `accept`.
 */
export interface Search {
  putHead(head: Head): Promise<void>
  /** Adds or replaces pages, some at a time. */
  putPages(pages: Pages): Promise<void>
  /** Forgets the pages behind this one: the document has become shorter. */
  cutPages(entry: Entry & { after: number }): Promise<void>
  remove(kind: Kind, ids: readonly number[]): Promise<void>
  /** What is known, by id, to compare with what should be. */
  list(kind: Kind, range: { after: number; limit: number }): Promise<Known[]>
  empty(): Promise<void>
  /** Puts together what was filed bit by bit, beside everything else: whatever is asked then costs less. */
  settle(): Promise<void>
  search(question: Question): Promise<Answer>
  /** Titles with these words, or spelled with these letters, the best first. */
  suggest(question: SuggestQuestion): Promise<Suggested[]>
  /** How these are spelled: first letters, then all letters; empty without hanzi. */
  spell(texts: readonly string[]): Promise<string[]>
  /** Every page of one entry with hits, in order. */
  find(question: FindQuestion): Promise<PageHits[]>
  /** Entries with a similar content, the most similar first. */
  similar(question: SimilarQuestion): Promise<number[]>
  close(): Promise<void>
}

export type Kind = 'document' | 'article'

export interface Entry {
  kind: Kind
  id: number
}

export interface Head extends Entry {
  title: string
  keywords: string
  description: string
  /** Decides between entries that fit equally well: 0 for nothing special, up to 100. */
  quality: number
  /** Given back by `list`. */
  mark: string
  /** File it though it looks as if nothing had changed: what is kept may be damaged. */
  anew?: true
}

export interface Pages extends Entry {
  pages: readonly PageText[]
  /** Given back by `list`. Empty while more are to come: only with the last ones the entry as a whole is filed. */
  mark: string
  /** File them though they look as if nothing had changed: what is kept may be damaged. */
  anew?: true
}

/** Pages are counted from 1; an article's body is page 1. */
export interface PageText {
  page: number
  text: string
}

export interface Known {
  id: number
  headMark: string
  pagesMark: string
}

export interface Question {
  kind: Kind
  words: string
  /** Only titles are looked at, or all of the heads; without it, pages as well. */
  within?: 'title' | 'head'
  accept: Accept
  /** Puts what was found into an order of one's own; without it, what fits best comes first. */
  arrange?: (ids: number[]) => Promise<number[]>
  /** The last page of each that may be quoted; without it, all may. */
  lastPages?: (ids: number[]) => Promise<number[]>
  offset: number
  limit: number
  /** More than this is neither counted nor shown. */
  most: number
}

/** Those of these ids that the asker may see and wants. Called with some hundreds at a time. */
export interface Accept {
  (ids: number[]): Promise<number[]>
  /** The same as a statement on the site's database, for an index that can put it there itself. */
  statement?: Statement
}

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** Which of the parameters is the list of ids, as JSON. */
  ids: number
}

export interface Answer {
  total: number
  /** There may be more than were counted: enough were found, or it took too long to count on. */
  more: boolean
  found: Found[]
}

export interface Found {
  id: number
  /** Where in the title. */
  title: Range[]
  /** How many pages have hits. */
  pages: number
  /** The page to open, with its hits; never one that may not be quoted. */
  best?: PageHits
  /** From the best page, or from the description when no page can be quoted. */
  excerpt?: Excerpt
}

export interface PageHits {
  page: number
  hits: number
}

export interface Excerpt {
  text: string
  ranges: Range[]
}

/** From and up to, as indices of the string. */
export type Range = [from: number, to: number]

export interface FindQuestion extends Entry {
  words: string
}

export interface SuggestQuestion {
  kind: Kind
  words: string
  accept: Accept
  limit: number
}

export interface Suggested {
  id: number
  /** Where in the title the words stand; none where it is only spelled so. */
  title: Range[]
}

export interface SimilarQuestion extends Entry {
  accept: Accept
  limit: number
}
