import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/**
 * Deleted accounts, exports of a member's data, and a digest by which real names are found. Names and numbers that are stored
 * as plain text are encrypted at the next start: a migration has no key.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index, uniqueUnlessEmpty } = tableMaker(db, engine)
  await db.schema
    .alterTable('user')
    .addColumn('realname_key', 'text', (column) => column.notNull().defaultTo(sql`''`))
    .execute()
  await db.schema.alterTable('user').addColumn('deleted_at', 'bigint').execute()
  await index('user', ['realname_key'])

  await plain('account_deletion', (t) =>
    t
      .int('user_id')
      .flag('keeps_content')
      .int('requested_at')
      .int('due_at')
      .optional('started_at')
      .optional('finished_at')
      .primary(['user_id']),
  )

  await table('data_export', (t) =>
    t
      .int('user_id')
      .key('state')
      .text('pending_key')
      .text('storage_key')
      .int('done')
      .int('total')
      .int('size')
      .int('expires_at')
      .stamps(),
  )
  await index('data_export', ['user_id', 'id'])
  await uniqueUnlessEmpty('data_export', 'pending_key')
}
