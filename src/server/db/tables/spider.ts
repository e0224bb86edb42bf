import type { ContentType } from '#shared/enums.ts'
import type {
  SpiderDocumentStatus,
  SpiderFailure,
  SpiderLogEvent,
  SpiderSourceState,
  SpiderUrlStatus,
} from '#shared/spider.ts'
import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface SpiderTables {
  spider_source: SpiderSourceTable
  spider_url: SpiderUrlTable
  spider_document: SpiderDocumentTable
  spider_log: SpiderLogTable
  spider_host: SpiderHostTable
}

/** Where to crawl, and by which rule. */
interface SpiderSourceTable extends Stamps {
  id: Id
  name: string
  target: ContentType
  enable: Defaulted<Bit>
  /** A `SpiderRule` as JSON. */
  rule: string
  state: Defaulted<SpiderSourceState>
  /** Counts the runs. */
  run: Defaulted<number>
  started_at: Defaulted<number | null>
  finished_at: Defaulted<number | null>
  /** Null when it is only run by hand. */
  next_run_at: Defaulted<number | null>
  /** Whose documents they become. */
  user_id: number
}

/** A page to read. */
interface SpiderUrlTable extends Stamps {
  id: Id
  /** 0 for an address that staff entered. */
  source_id: number
  url: string
  /** SHA-256 of the address; unique within the source. */
  url_hash: string
  /** Scheme, host and port. */
  origin: string
  /** Clicks from a start address. */
  depth: Defaulted<number>
  is_sitemap: Defaulted<Bit>
  status: Defaulted<SpiderUrlStatus>
  reason: Defaulted<SpiderFailure | ''>
  detail: Defaulted<string>
  http_status: Defaulted<number>
  /** Failed attempts in a row. */
  tries: Defaulted<number>
  /** Not before this time. */
  due_at: Defaulted<number>
  /** The source's run in which it was last read. */
  run: Defaulted<number>
  etag: Defaulted<string>
  last_modified: Defaulted<string>
  content_hash: Defaulted<string>
  /** Of the address without its query: a page with endlessly many queries is a trap. */
  path_hash: string
  title: Defaulted<string>
  /** Of an address that staff entered. */
  user_id: Defaulted<number>
  fetched_at: Defaulted<number | null>
}

/** A file, or an article, that was found. */
interface SpiderDocumentTable extends Stamps {
  id: Id
  source_id: number
  /** The page on which it was found. */
  url_id: Defaulted<number>
  target: ContentType
  url: string
  /** SHA-256 of the address; unique. */
  url_hash: string
  origin: string
  status: Defaulted<SpiderDocumentStatus>
  reason: Defaulted<SpiderFailure | ''>
  detail: Defaulted<string>
  http_status: Defaulted<number>
  tries: Defaulted<number>
  due_at: Defaulted<number>
  /** A later run of the source wants to know whether it has changed. */
  check_due: Defaulted<Bit>
  etag: Defaulted<string>
  last_modified: Defaulted<string>
  title: Defaulted<string>
  description: Defaulted<string>
  keywords: Defaulted<string>
  language: Defaulted<string>
  /** In credits. */
  price: Defaulted<number>
  /** Ids as JSON. */
  category_ids: string
  /** The date that its page names. */
  dated_at: Defaulted<number | null>
  user_id: number
  source_name: Defaulted<string>
  name: Defaulted<string>
  ext: Defaulted<string>
  size: Defaulted<number>
  /** SHA-256 of the file, or of the article's text. */
  hash: Defaulted<string>
  /** Of an article, sanitized when it is published. */
  content: Defaulted<string>
  attachment_id: Defaulted<number>
  document_id: Defaulted<number>
  article_id: Defaulted<number>
  downloaded_at: Defaulted<number | null>
  published_at: Defaulted<number | null>
}

/** What happened to an address. */
interface SpiderLogTable {
  id: Id
  url_id: Defaulted<number>
  spider_document_id: Defaulted<number>
  event: SpiderLogEvent
  reason: Defaulted<SpiderFailure | ''>
  http_status: Defaulted<number>
  bytes: Defaulted<number>
  duration_ms: Defaulted<number>
  detail: Defaulted<string>
  created_at: number
}

/** A web server that is crawled: how to be polite to it. */
interface SpiderHostTable extends Stamps {
  /** Scheme, host and port. */
  origin: string
  /** The text of its robots.txt. */
  robots: Defaulted<string>
  /** The HTTP status of robots.txt; 0 when it could not be reached. */
  robots_status: Defaulted<number>
  robots_at: Defaulted<number | null>
  /** Since when robots.txt cannot be read. */
  robots_failing_since: Defaulted<number | null>
  /** The next request does not start earlier. */
  next_at: Defaulted<number>
  /** Until when a worker holds it: one connection at a time. */
  busy_until: Defaulted<number>
  worker: Defaulted<string>
  /** Failed requests in a row. */
  failures: Defaulted<number>
}
