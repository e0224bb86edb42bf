import type { Kysely } from 'kysely'

/** What reporters write beside the reason, and what became of their reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['content', 'contact', 'answer'])
    await db.schema
      .alterTable('report')
      .addColumn(column, 'text', (type) => type.notNull().defaultTo(''))
      .execute()
  for (const column of ['outcome', 'handled_user_id'])
    await db.schema
      .alterTable('report')
      .addColumn(column, 'bigint', (type) => type.notNull().defaultTo(0))
      .execute()
  await db.schema.createIndex('report_user_id_id').on('report').columns(['user_id', 'id']).execute()
}
