import type { Kysely } from 'kysely'

/** What is being read is found by the time of reading. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('reading_progress_read_at_document_id')
    .on('reading_progress')
    .columns(['read_at', 'document_id'])
    .execute()
}
