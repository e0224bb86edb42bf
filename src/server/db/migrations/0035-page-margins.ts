import type { Kysely } from 'kysely'

/** The margins that all pages of a rendition share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('rendition')
    .addColumn('margins', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
