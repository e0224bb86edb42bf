import type { Kysely } from 'kysely'

/** Owners of jobs, and the rounds in which their jobs are taken in turn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['owner', 'round'])
    await db.schema
      .alterTable('job')
      .addColumn(column, 'bigint', (type) => type.notNull().defaultTo(0))
      .execute()
  await db.schema.dropIndex('job_next').execute()
  // The next job of a kind is the first of its stretch, however many wait.
  await db.schema
    .createIndex('job_next')
    .on('job')
    .columns(['state', 'kind', 'priority desc', 'round', 'run_at', 'id', 'owner'])
    .execute()
  await db.schema.createIndex('job_owner').on('job').columns(['state', 'kind', 'owner', 'round']).execute()
}
