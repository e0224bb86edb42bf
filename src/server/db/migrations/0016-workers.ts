import type { Kysely } from 'kysely'

/** The processes that do background work: when each was heard of, and the programs that it found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('worker')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('pid', 'bigint', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('tools', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('tools_checked_at', 'bigint')
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('worker_seen_at').on('worker').column('seen_at').execute()
}
