import type { Kysely } from 'kysely'

/** When a member proved to own the e-mail address, and when and from what the user name was changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['email_verified_at', 'username_changed_at'])
    await db.schema.alterTable('user').addColumn(column, 'bigint').execute()
  await db.schema
    .alterTable('user')
    .addColumn('former_username_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('user_former_username_key').on('user').column('former_username_key').execute()
}
