import { type Kysely, sql } from 'kysely'

/** Where a document or an article was taken from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['document', 'article'])
    for (const column of ['source_name', 'source_url'])
      await db.schema
        .alterTable(table)
        .addColumn(column, 'text', (type) => type.notNull().defaultTo(sql`''`))
        .execute()
}
