import { type Kysely, sql, type SqlBool } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Files, documents, what was made of them, downloads, and the ledger of credits. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index, uniqueUnlessEmpty } = tableMaker(db, engine)
  /** Leaves out what is in the recycle bin. */
  const ofKept = (name: string, columns: readonly string[]) =>
    sql`create index ${sql.ref(name)} on document (${sql.raw(columns.join(', '))}) where deleted_at is null`.execute(db)

  await db.schema
    .alterTable('job')
    .addColumn('priority', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.dropIndex('job_state_run_at').execute()
  // The next job of a kind is the first of its stretch, however many wait.
  await db.schema
    .createIndex('job_next')
    .on('job')
    .columns(['state', 'kind', 'priority desc', 'run_at', 'id'])
    .execute()

  await table('attachment', (t) =>
    t
      .key('hash')
      .int('user_id')
      .int('type')
      .int('type_id')
      .text('path')
      .key('name')
      .text('ext')
      .int('size')
      .int('width')
      .int('height')
      .text('ip')
      .text('description')
      .flag('enable', 1)
      .optional('deleted_at')
      .stamps(),
  )
  await index('attachment', ['hash'])
  await index('attachment', ['type', 'type_id'])
  await index('attachment', ['user_id'])
  await index('attachment', ['deleted_at'])
  await plain('stored_file', (t) =>
    t.key('hash').int('size').flag('leaving').int('seen_at').int('created_at').primary(['hash']),
  )
  await plain('upload', (t) =>
    t
      .key('id')
      .int('user_id')
      .key('name')
      .int('size')
      .text('hash')
      .text('state')
      .int('attachment_id')
      .int('expires_at')
      .stamps()
      .primary(['id']),
  )
  await index('upload', ['expires_at'])

  await plain('daily_use', (t) => t.key('kind').key('who').int('day').int('used').primary(['kind', 'who', 'day']))
  await index('daily_use', ['day'])
  await table('credit_entry', (t) =>
    t.int('user_id').int('amount').int('balance').key('reason').int('ref_id').text('key').int('created_at'),
  )
  await index('credit_entry', ['user_id', 'id'])
  await uniqueUnlessEmpty('credit_entry', 'key')

  // What lists look at stands first and the long texts last: SQLite keeps the end of a long row elsewhere.
  await table('document', (t) =>
    t
      .key('uuid')
      .int('user_id')
      .int('attachment_id')
      .key('hash')
      .text('ext')
      .int('size')
      .text('language')
      .int('price')
      .int('status')
      .int('pages')
      .int('width')
      .int('height')
      .int('view_count')
      .int('download_count')
      .int('favorite_count')
      .int('comment_count')
      .int('score', 300)
      .int('score_count')
      .optional('recommend_at')
      .optional('deleted_at')
      .int('deleted_user_id')
      .stamps()
      .key('title')
      .text('keywords')
      .text('description')
      .text('reject_reason')
      .text('content')
      .unique(['uuid']),
  )
  await index('document', ['status', 'id'])
  await index('document', ['user_id', 'id'])
  await index('document', ['hash'])
  // Only what is in the recycle bin: an index over all would be taken for "not deleted", and every list sorted by hand.
  await db.schema
    .createIndex('document_deleted_at')
    .on('document')
    .columns(['deleted_at', 'id'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
  // For each order that visitors may ask for, with all that they may narrow a list by: one walk finds a page.
  const narrowing = ['status', 'ext', 'language', 'price', 'user_id', 'created_at', 'recommend_at']
  const byOrder = ['id', 'view_count', 'download_count', 'favorite_count', 'pages', 'score', 'created_at']
  for (const order of byOrder) await ofKept(`document_by_${order}`, [...new Set([order, 'id', ...narrowing])])
  // PostgreSQL reads an index backwards with the empty ones first; SQLite knows no other way than with them last.
  const greatestFirst = engine === 'postgres' ? ['recommend_at desc nulls last', 'id desc'] : ['recommend_at', 'id']
  await ofKept('document_by_recommend_at', [...greatestFirst, ...narrowing.slice(0, -1)])
  await ofKept('document_by_ext', ['ext', 'status', 'language', 'price'])
  await plain('document_category', (t) =>
    t.int('document_id').int('category_id').primary(['document_id', 'category_id']),
  )
  await index('document_category', ['category_id', 'document_id'])
  await table('document_score', (t) =>
    t.int('document_id').int('user_id').int('score').stamps().unique(['document_id', 'user_id']),
  )
  await plain('document_relate', (t) => t.int('document_id').text('related').int('updated_at').primary(['document_id']))
  await plain('rendition', (t) =>
    t
      .key('hash')
      .text('ext')
      .key('state')
      .text('run')
      .int('revision')
      .text('type')
      .flag('made')
      .int('pages')
      .flag('partial')
      .int('width')
      .int('height')
      .int('read_pages')
      .text('excerpt')
      .flag('has_cover')
      .text('reason')
      .text('detail')
      .stamps()
      .primary(['hash']),
  )
  await index('rendition', ['state'])
  // The few whose text is not read to its end, which are looked for every minute.
  await db.schema
    .createIndex('rendition_unread')
    .on('rendition')
    .column('state')
    .where(sql<SqlBool>`state = 'done' and read_pages < pages`)
    .execute()
  await table('download', (t) => t.int('user_id').int('document_id').text('ip').flag('is_pay').int('price').stamps())
  await index('download', ['user_id', 'id'])
  await index('download', ['document_id', 'user_id'])
}
