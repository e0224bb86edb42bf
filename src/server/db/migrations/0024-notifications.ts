import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Notifications of members, how they want them by mail, and where the recipient of a mail ends such mails. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain } = tableMaker(db, engine)
  await table('notification', (t) =>
    t
      .int('user_id')
      .int('kind')
      .key('event_key')
      .text('group_key')
      .optional('group_id')
      .int('actor_id')
      .optional('content_type')
      .int('content_id')
      .int('comment_id')
      .int('credits')
      .text('params')
      .int('latest_at')
      .optional('read_at')
      .optional('mail_at')
      .optional('deleted_at')
      .int('created_at')
      .unique(['event_key']),
  )
  const create = (name: string, columns: string, condition: string) =>
    sql`create index ${sql.ref(`notification_${name}`)} on notification (${sql.raw(columns)}) where ${sql.raw(condition)}`.execute(
      db,
    )
  await create('listed', 'user_id, latest_at, id', 'group_id is null and deleted_at is null')
  await create('unread', 'user_id, group_key', 'group_id is null and read_at is null and deleted_at is null')
  await create('grouped', 'group_id', 'group_id is not null')
  await create('mailed', 'mail_at, user_id', 'mail_at is not null')
  await db.schema.createIndex('notification_latest_at').on('notification').column('latest_at').execute()

  await plain('notification_choice', (t) => t.int('user_id').int('kind').int('mail').primary(['user_id', 'kind']))

  await db.schema
    .alterTable('mail')
    .addColumn('unsubscribe', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
