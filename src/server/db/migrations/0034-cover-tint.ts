import { type Kysely, sql } from 'kysely'

/** The main colour of a cover: the ground around pictures that do not fill it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('rendition')
    .addColumn('cover_tint', 'text', (type) => type.notNull().defaultTo(sql`''`))
    .execute()
}
