import type { Selectable } from 'kysely'
import type { Tables } from '#server/db/tables.ts'
import type { HostLease } from '../fetch/hosts.ts'
import type { CrawlSource } from './crawl-source.ts'

export type UrlRow = Selectable<Tables['spider_url']>
export type SpiderDocumentRow = Selectable<Tables['spider_document']>

/** A page or sitemap to read. */
export interface UrlWork {
  kind: 'url'
  row: UrlRow
  source: CrawlSource
}

/** A file or article to download, or to check for a new content. */
export interface DocumentWork {
  kind: 'download' | 'check'
  row: SpiderDocumentRow
  source: CrawlSource
}

export type Work = UrlWork | DocumentWork

/** Of a request, for the log. */
export interface Measured {
  bytes: number
  duration_ms: number
}

/** With what a host is requested. */
export interface Turn {
  lease: HostLease
  /** Between two requests. */
  delayMs: number
  signal: AbortSignal
}
