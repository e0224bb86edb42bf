import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Drafts of articles on the server, the history of an article, and who likes it. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = tableMaker(db, engine)
  await table('article_draft', (t) =>
    t
      .int('user_id')
      .int('article_id')
      .int('based_on')
      .text('title')
      .text('keywords')
      .text('description')
      .text('cover')
      .text('content')
      .text('category_id')
      .text('identifier')
      .stamps(),
  )
  await index('article_draft', ['user_id', 'updated_at'])
  await index('article_draft', ['article_id'])
  await table('article_version', (t) =>
    t
      .int('article_id')
      .int('user_id')
      .text('title')
      .text('keywords')
      .text('description')
      .text('cover')
      .text('content')
      .int('created_at'),
  )
  await index('article_version', ['article_id', 'id'])
  await index('article_version', ['user_id'])
  await table('article_like', (t) =>
    t.int('user_id').int('article_id').int('created_at').unique(['user_id', 'article_id']),
  )
  await index('article_like', ['article_id'])
  await db.schema
    .alterTable('article')
    .addColumn('like_count', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
