import type { Kysely } from 'kysely'

/** Advertisements whose scripts may run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('advertisement')
    .addColumn('allow_scripts', 'smallint', (type) => type.notNull().defaultTo(0))
    .execute()
}
