import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Announcements, and why staff granted or took credits. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await table('announcement', (t) =>
    t
      .flag('enable')
      .int('audience')
      .optional('start_time')
      .optional('end_time')
      .int('user_id')
      .stamps()
      .key('title')
      .text('content'),
  )
  await plain('announcement_group', (t) =>
    t.int('announcement_id').int('group_id').primary(['announcement_id', 'group_id']),
  )
  await index('announcement_group', ['group_id'])
  await db.schema
    .alterTable('credit_entry')
    .addColumn('note', 'text', (type) => type.notNull().defaultTo(''))
    .execute()
}
