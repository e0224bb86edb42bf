import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** What an owner shows and watches: banners, and the figures of each day. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await table('banner', (t) =>
    t
      .key('title')
      .key('path')
      .text('url')
      .text('description')
      .int('type')
      .int('sort')
      .flag('enable')
      .optional('start_time')
      .optional('end_time')
      .stamps(),
  )
  await plain('tally', (t) => t.int('day').key('name').int('count').primary(['day', 'name']))
  await plain('visitor', (t) => t.int('day').key('mark').primary(['day', 'mark']))

  // What each day brought, and what waits: read from these alone, however large the library.
  await index('user', ['created_at'])
  await index('download', ['created_at'])
  // Only where lists do not look: an index over all would be taken for their order.
  await sql`create index document_recycled_created_at on document (created_at) where deleted_at is not null`.execute(db)
  await sql`create index document_waiting on document (status) where deleted_at is null and status in (0, 1, 3, 5, 6)`.execute(
    db,
  )
  await sql`create index article_waiting on article (id) where deleted_at is null and status = 0`.execute(db)
}
