import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Articles, comments, favourites, reports, the daily check-in, and what members have done. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  /** Leaves out what is in the recycle bin. */
  const ofKept = (name: string, columns: readonly string[]) =>
    sql`create index ${sql.ref(name)} on article (${sql.raw(columns.join(', '))}) where deleted_at is null`.execute(db)

  // What lists look at stands first and the long texts last: SQLite keeps the end of a long row elsewhere.
  await table('article', (t) =>
    t
      .key('identifier')
      .int('user_id')
      .int('status')
      .int('view_count')
      .int('favorite_count')
      .int('comment_count')
      .optional('recommend_at')
      .optional('deleted_at')
      .int('deleted_user_id')
      .stamps()
      .key('title')
      .text('keywords')
      .text('description')
      .text('cover')
      .text('reject_reason')
      .text('content')
      .unique(['identifier']),
  )
  await index('article', ['user_id', 'id'])
  await db.schema
    .createIndex('article_deleted_at')
    .on('article')
    .columns(['deleted_at', 'id'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
  // For each order that visitors may ask for, with all that they may narrow a list by: one walk finds a page.
  const narrowing = ['status', 'user_id', 'created_at', 'recommend_at']
  for (const order of ['id', 'view_count', 'favorite_count', 'comment_count', 'created_at'])
    await ofKept(`article_by_${order}`, [...new Set([order, 'id', ...narrowing])])
  const greatestFirst = engine === 'postgres' ? ['recommend_at desc nulls last', 'id desc'] : ['recommend_at', 'id']
  await ofKept('article_by_recommend_at', [...greatestFirst, ...narrowing.slice(0, -1)])
  await plain('article_category', (t) => t.int('article_id').int('category_id').primary(['article_id', 'category_id']))
  await index('article_category', ['category_id', 'article_id'])
  await plain('article_relate', (t) => t.int('article_id').text('related').int('updated_at').primary(['article_id']))

  await table('comment', (t) =>
    t
      .int('type')
      .int('document_id')
      .int('user_id')
      .int('parent_id')
      .int('root_id')
      .int('status')
      .int('comment_count')
      .flag('is_deleted')
      .text('ip')
      .stamps()
      .key('content'),
  )
  await index('comment', ['type', 'document_id', 'id'])
  await index('comment', ['root_id', 'id'])
  await index('comment', ['parent_id', 'id'])
  await index('comment', ['user_id', 'id'])
  await index('comment', ['status', 'id'])

  await table('favorite', (t) =>
    t.int('user_id').int('document_id').int('type').text('ip').stamps().unique(['user_id', 'document_id', 'type']),
  )
  await index('favorite', ['user_id', 'type', 'id'])
  await index('favorite', ['type', 'document_id'])

  await table('report', (t) =>
    t
      .int('document_id')
      .int('user_id')
      .int('reason')
      .flag('status')
      .stamps()
      .key('document_title')
      .key('username')
      .text('remark')
      .unique(['document_id', 'user_id']),
  )
  await index('report', ['status', 'id'])

  await table('sign', (t) =>
    t
      .int('user_id')
      .int('sign_at')
      .int('award')
      .int('streak', 1)
      .text('ip')
      .int('created_at')
      .unique(['user_id', 'sign_at']),
  )
  await table('dynamic', (t) =>
    t.int('user_id').int('type').int('amount').int('created_at').text('subject').text('href'),
  )
  await index('dynamic', ['user_id', 'id'])
}
