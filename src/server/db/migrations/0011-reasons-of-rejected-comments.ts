import type { Kysely } from 'kysely'

/** Why a comment was rejected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('comment')
    .addColumn('reject_reason', 'text', (type) => type.notNull().defaultTo(''))
    .execute()
}
