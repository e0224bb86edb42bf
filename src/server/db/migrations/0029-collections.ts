import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Collections that members make, what members follow, and what is new for followers. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await table('collection', (t) =>
    t
      .key('uuid')
      .int('user_id')
      .text('title')
      .text('description')
      .int('visibility')
      .int('status')
      .text('reject_reason')
      .int('item_count')
      .int('follower_count')
      .text('ip')
      .stamps()
      .unique(['uuid']),
  )
  await index('collection', ['user_id', 'id'])
  // Public lists: codes 0 (public) and 1 (approved).
  for (const [name, columns] of [
    ['latest', 'updated_at, id'],
    ['popular', 'follower_count, id'],
  ] as const)
    await sql`create index ${sql.ref(`collection_${name}`)} on collection (${sql.raw(columns)}) where visibility = 0 and status = 1`.execute(
      db,
    )

  await table('collection_item', (t) =>
    t
      .int('collection_id')
      .int('content_type')
      .int('content_id')
      .int('sort')
      .text('note')
      .stamps()
      .unique(['collection_id', 'content_type', 'content_id']),
  )
  await index('collection_item', ['collection_id', 'sort', 'id'])
  await index('collection_item', ['content_type', 'content_id'])

  await table('follow', (t) =>
    t.int('user_id').int('kind').int('target_id').int('created_at').unique(['user_id', 'kind', 'target_id']),
  )
  await index('follow', ['kind', 'target_id', 'id'])

  await plain('publication', (t) =>
    t.int('content_type').int('content_id').int('published_at').primary(['content_type', 'content_id']),
  )
  // What is public today is no news: documents (0) by status and visibility, approved articles (1).
  await sql`insert into publication (content_type, content_id, published_at)
    select 0, id, created_at from document
    where deleted_at is null and status in (0, 1, 2, 3, 5) and visibility = 0`.execute(db)
  await sql`insert into publication (content_type, content_id, published_at)
    select 1, id, created_at from article where deleted_at is null and status = 1`.execute(db)

  await table('follow_news', (t) =>
    t
      .int('kind')
      .int('target_id')
      .int('content_type')
      .int('content_id')
      .text('batch')
      .int('created_at')
      .unique(['kind', 'target_id', 'content_type', 'content_id']),
  )
  await index('follow_news', ['kind', 'target_id', 'id'])
  await index('follow_news', ['batch'])
  await index('follow_news', ['content_type', 'content_id'])
}
