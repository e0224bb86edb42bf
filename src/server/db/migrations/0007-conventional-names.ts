import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/**
 * Tables, columns and kinds of jobs under the field's own terms; at most one waiting job of a key, held by an index; and
 * the audit log.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const [table, columns, name = table] of renames) {
    for (const [from, to] of Object.entries(columns)) await db.schema.alterTable(table).renameColumn(from, to).execute()
    if (name !== table) await db.schema.alterTable(table).renameTo(name).execute()
  }
  await renameIndexes(db, engine)
  await renameJobs(db)

  // Of several that waited under one key, which nothing prevented, the first stays.
  await sql`delete from job where state = 'waiting' and key <> '' and id not in
    (select min(id) from job where state = 'waiting' and key <> '' group by key)`.execute(db)
  await sql`create unique index job_key_waiting on job (key) where key <> '' and state = 'waiting'`.execute(db)

  const { table, index } = tableMaker(db, engine)
  await table('audit_log', (t) =>
    t
      .int('user_id')
      .key('username')
      .text('ip')
      .key('area')
      .key('action')
      .text('target_ids')
      .text('change')
      .int('created_at'),
  )
  await index('audit_log', ['created_at'])
  await index('audit_log', ['user_id', 'id'])
  await index('audit_log', ['area', 'id'])
}

type Rename = [table: string, columns: Record<string, string>, newName?: string]

const renames: Rename[] = [
  ['attempt', { until: 'blocked_until' }, 'rate_limit'],
  ['letter', { name: 'template', told: 'params', number: 'message_id', until: 'expires_at' }, 'mail'],
  ['tally', {}, 'daily_count'],
  ['visitor', { mark: 'visitor_hash' }, 'daily_visitor'],
  ['dynamic', {}, 'activity'],
  ['daily_use', { kind: 'quota', who: 'subject' }, 'quota_usage'],
  ['sign', { sign_at: 'day' }, 'check_in'],
  ['session', { seen_at: 'last_seen_at' }],
  ['stored_file', { leaving: 'deleting', seen_at: 'last_used_at' }],
  [
    'rendition',
    { run: 'lease_id', made: 'is_derived', partial: 'is_partial', type: 'source_type', read_pages: 'text_pages' },
  ],
]

/** SQLite cannot rename an index: both databases make it anew. */
async function renameIndexes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { index } = tableMaker(db, engine)
  const old = ['attempt_until', 'letter_state_updated_at', 'dynamic_user_id_id', 'daily_use_day']
  for (const name of old) await db.schema.dropIndex(name).execute()
  await index('rate_limit', ['blocked_until'])
  await index('mail', ['state', 'updated_at'])
  await index('activity', ['user_id', 'id'])
  await index('quota_usage', ['day'])
}

const jobKinds: Record<string, string> = {
  'document.convert': 'renditions.convert',
  'document.convert-office': 'renditions.convert-office',
  'document.read': 'renditions.extract-text',
  'document.draw': 'renditions.prerender',
  'rendition.remove': 'renditions.remove',
  'documents.mend': 'renditions.repair',
  'documents.index': 'search.index-documents',
  'documents.check-index': 'search.check-documents',
  'articles.index': 'search.index-articles',
  'articles.check-index': 'search.check-articles',
  'searches.purge': 'search.purge-records',
  'searches.settle': 'search.optimize',
  'mail.forget': 'mail.purge',
  'release.check': 'system.check-release',
  'sitemap.check': 'feeds.check-sitemap',
  'tally.forget-visitors': 'stats.purge-visitors',
  'users.purge': 'users.purge-expired',
  'users.prune-dynamics': 'users.prune-activities',
  'attachments.orphans': 'attachments.remove-orphans',
}

const keyPrefixes: Record<string, string> = { 'read:': 'extract-text:', 'draw:': 'prerender:' }

/** Jobs that are durable events now. */
const events: Record<string, string> = {
  'user.registered': 'user.registered',
  'social.forget': 'content.purged',
  'social.forget-members': 'users.deleted',
}

async function renameJobs(db: Kysely<unknown>): Promise<void> {
  for (const [from, to] of Object.entries(jobKinds)) {
    await sql`update job set kind = ${to} where kind = ${from}`.execute(db)
    await sql`update job set key = ${`schedule:${to}`} where key = ${`schedule:${from}`}`.execute(db)
    await sql`update revision set name = ${`schedule:${to}`} where name = ${`schedule:${from}`}`.execute(db)
  }
  for (const [from, to] of Object.entries(keyPrefixes))
    await sql`update job set key = replace(key, ${from}, ${to}) where key like ${`${from}%`}`.execute(db)
  await sql`update job set key = 'optimize-index' where key = 'settle-index'`.execute(db)
  await sql`update job set key = '' where key like 'index-check-%' or key like 'index-all-%'`.execute(db)
  await sql`update job set payload = replace(payload, '"letter":', '"mail":') where kind = 'mail.send'`.execute(db)
  await sql`update job set payload = replace(payload, '"unread":', '"failures":')
    where kind in ('renditions.extract-text', 'renditions.prerender')`.execute(db)
  for (const [kind, name] of Object.entries(events))
    await sql`update job set kind = 'events.deliver', payload = ${`{"name":"${name}","payload":`} || payload || '}'
      where kind = ${kind}`.execute(db)
}
