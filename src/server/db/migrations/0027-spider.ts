import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** The crawler: sources, links, found documents, their log, and the hosts that are crawled. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await table('spider_source', (t) =>
    t
      .key('name')
      .int('target')
      .flag('enable', 1)
      .text('rule')
      .int('state')
      .int('run')
      .optional('started_at')
      .optional('finished_at')
      .optional('next_run_at')
      .int('user_id')
      .stamps(),
  )
  await index('spider_source', ['next_run_at'])

  await table('spider_url', (t) =>
    t
      .int('source_id')
      .key('url_hash')
      .key('origin')
      .key('path_hash')
      .int('depth')
      .flag('is_sitemap')
      .int('status')
      .int('http_status')
      .int('tries')
      .int('due_at')
      .int('run')
      .int('user_id')
      .optional('fetched_at')
      .stamps()
      .text('url')
      .text('reason')
      .text('detail')
      .text('etag')
      .text('last_modified')
      .text('content_hash')
      .text('title')
      .unique(['source_id', 'url_hash']),
  )
  await index('spider_url', ['origin', 'status', 'due_at'])
  await index('spider_url', ['source_id', 'status'])
  await index('spider_url', ['source_id', 'run'])
  await index('spider_url', ['source_id', 'content_hash'])
  await index('spider_url', ['source_id', 'path_hash'])
  await index('spider_url', ['status', 'id'])

  await table('spider_document', (t) =>
    t
      .int('source_id')
      .int('url_id')
      .int('target')
      .key('url_hash')
      .key('origin')
      .int('status')
      .int('http_status')
      .int('tries')
      .int('due_at')
      .flag('check_due')
      .int('price')
      .optional('dated_at')
      .int('user_id')
      .int('size')
      .int('attachment_id')
      .int('document_id')
      .int('article_id')
      .optional('downloaded_at')
      .optional('published_at')
      .stamps()
      .text('url')
      .text('reason')
      .text('detail')
      .text('etag')
      .text('last_modified')
      .text('title')
      .text('description')
      .text('keywords')
      .text('language')
      .text('category_ids')
      .text('source_name')
      .text('name')
      .text('ext')
      .text('hash')
      .text('content')
      .unique(['url_hash']),
  )
  await index('spider_document', ['origin', 'status', 'due_at'])
  await index('spider_document', ['origin', 'check_due', 'due_at'])
  await index('spider_document', ['source_id', 'hash'])
  await index('spider_document', ['source_id', 'status'])
  await index('spider_document', ['status', 'id'])
  await index('spider_document', ['attachment_id'])

  await table('spider_log', (t) =>
    t
      .int('url_id')
      .int('spider_document_id')
      .key('event')
      .int('http_status')
      .int('bytes')
      .int('duration_ms')
      .int('created_at')
      .text('reason')
      .text('detail'),
  )
  await index('spider_log', ['url_id', 'id'])
  await index('spider_log', ['spider_document_id', 'id'])
  await index('spider_log', ['created_at'])

  await plain('spider_host', (t) =>
    t
      .key('origin')
      .int('robots_status')
      .optional('robots_at')
      .optional('robots_failing_since')
      .int('next_at')
      .int('busy_until')
      .int('failures')
      .stamps()
      .text('worker')
      .text('robots')
      .primary(['origin']),
  )
}
