import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Files, documents, what was made of them, downloads, and the ledger of credits. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index, uniqueUnlessEmpty } = tableMaker(db, engine)

  await db.schema
    .alterTable('job')
    .addColumn('priority', 'bigint', (column) => column.notNull().defaultTo(0))
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

  await table('document', (t) =>
    t
      .key('uuid')
      .int('user_id')
      .int('attachment_id')
      .key('hash')
      .text('ext')
      .int('size')
      .key('title')
      .text('keywords')
      .text('description')
      .text('content')
      .text('language')
      .int('price')
      .int('status')
      .text('reject_reason')
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
      .unique(['uuid']),
  )
  await index('document', ['status', 'id'])
  await index('document', ['user_id', 'id'])
  await index('document', ['hash'])
  await index('document', ['recommend_at'])
  // Only what is in the recycle bin: an index over all would be taken for "not deleted", and every list sorted by hand.
  await db.schema
    .createIndex('document_deleted_at')
    .on('document')
    .columns(['deleted_at', 'id'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
  // Holds all that counting the visible ones needs.
  await index('document', ['created_at', 'status', 'deleted_at'])
  await index('document', ['view_count', 'id'])
  await index('document', ['download_count', 'id'])
  await index('document', ['favorite_count', 'id'])
  await index('document', ['pages', 'id'])
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
      .int('revision')
      .text('type')
      .flag('made')
      .int('pages')
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
  await table('download', (t) => t.int('user_id').int('document_id').text('ip').flag('is_pay').int('price').stamps())
  await index('download', ['user_id', 'id'])
  await index('download', ['document_id', 'user_id'])
}
