/** What a source's rule says about a page. Patterns are those of `patterns.ts`. */
export interface PageRule {
  target: 'document' | 'article'
  /** Pages to follow; empty: all pages of `hosts`. */
  follow: string[]
  /** Addresses that are neither followed nor taken. */
  exclude: string[]
  /** Documents, or article pages; empty for documents: by extension. */
  items: string[]
  /** The kinds of files that count as documents: `.pdf` …, with or without the dot. */
  exts: string[]
  /** Hosts, with their port, that pages may be followed on. */
  hosts: string[]
  /** Query parameters that are dropped, beside the known trackers and session ids; `name*` for all that begin so. */
  dropParams: string[]
  /** CSS; empty for none. */
  selectors: {
    title: string
    description: string
    keywords: string
    date: string
    next: string
    content: string
  }
}

/** A response to read. */
export interface ExtractTask {
  url: string
  contentType: string
  body: Uint8Array
  rule: PageRule
}

export interface Metadata {
  title: string
  description: string
  keywords: string
  date?: number
  /** Whose selector was given and read nothing. */
  unmatched: MetadataPart[]
}

export type MetadataPart = 'title' | 'description' | 'keywords' | 'date'

export interface FoundItem {
  url: string
  title: string
}

export interface ExtractedPage extends Metadata {
  /** Normalised addresses to follow, the next page first; unique. */
  pages: string[]
  /** Documents or articles, each once. */
  items: FoundItem[]
  /** What `<meta name=robots>` asks for. A page that asks for `nofollow` has no pages and no items. */
  nofollow: boolean
  noindex: boolean
  /** SHA-256 of the visible text and the links: pages that differ in comments, whitespace or scripts alone are equal. */
  contentHash: string
  /** Links that no rule takes, or that are beyond the limits. */
  skipped: number
  /** The page is larger than the limits: only its beginning was read. */
  truncated: boolean
}

export interface ExtractedArticle extends Metadata {
  /** HTML with absolute addresses, not yet sanitized. */
  content: string
  /** The addresses of its pictures, as they stand in the content. */
  pictures: string[]
  /** What `<meta name=robots>` asks for. */
  noindex: boolean
}

export interface MatchTask {
  urls: readonly string[]
  patterns: readonly string[]
}

export interface SitemapTask {
  url: string
  contentType: string
  body: Uint8Array
  /** Sorts the addresses into pages and items; without it all of them are pages. */
  rule?: PageRule
}

export interface ExtractedSitemap {
  pages: { url: string; lastModified?: number }[]
  items: { url: string; title: string; lastModified?: number }[]
  /** The sitemaps of an index. */
  sitemaps: string[]
}
