import { type Kysely, sql } from 'kysely'

/** What an article's text gave as keywords, and how many articles it was compared with: 0 for not yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('article')
    .addColumn('text_keywords', 'text', (type) => type.notNull().defaultTo(sql`''`))
    .execute()
  await db.schema
    .alterTable('article')
    .addColumn('keywords_compared', 'bigint', (type) => type.notNull().defaultTo(0))
    .execute()
}
