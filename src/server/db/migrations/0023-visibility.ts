import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Who may know of a document, whether it can be downloaded, and share links. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await db.schema
    .alterTable('document')
    .addColumn('visibility', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('document')
    .addColumn('downloadable', 'smallint', (column) => column.notNull().defaultTo(1))
    .execute()
  await coverVisibility(db, engine)

  await plain('document_group', (t) => t.int('document_id').int('group_id').primary(['document_id', 'group_id']))
  await index('document_group', ['group_id'])
  await table('document_share', (t) =>
    t
      .int('document_id')
      .int('user_id')
      .key('token')
      .text('password')
      .optional('ends_at')
      .optional('downloads_left')
      .int('download_count')
      .stamps()
      .unique(['token']),
  )
  await index('document_share', ['document_id', 'id'])
}

/** The covering indexes of lists, with the column that every list is filtered by from now on. */
async function coverVisibility(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const cover = async (name: string, columns: readonly string[]) => {
    await sql`drop index ${sql.ref(name)}`.execute(db)
    const list = sql.raw([...columns, 'visibility'].join(', '))
    await sql`create index ${sql.ref(name)} on document (${list}) where deleted_at is null`.execute(db)
  }
  const filtered = ['status', 'ext', 'language', 'price', 'user_id', 'created_at', 'recommend_at']
  const orders = ['id', 'view_count', 'download_count', 'favorite_count', 'pages', 'score', 'created_at']
  for (const order of orders) await cover(`document_by_${order}`, [...new Set([order, 'id', ...filtered])])
  // PostgreSQL reads an index backwards with the empty ones first; SQLite knows no other way than with them last.
  const greatestFirst = engine === 'postgres' ? ['recommend_at desc nulls last', 'id desc'] : ['recommend_at', 'id']
  await cover('document_by_recommend_at', [...greatestFirst, ...filtered.slice(0, -1)])
  await cover('document_by_ext', ['ext', 'status', 'language', 'price'])
}
