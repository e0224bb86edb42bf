import { type Kysely, sql } from 'kysely'

/** Which member owns the site: until now always the first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('user')
    .addColumn('is_root', 'smallint', (type) => type.notNull().defaultTo(0))
    .execute()
  await sql`update "user" set is_root = 1 where id = 1`.execute(db)
  await sql`create unique index user_is_root on "user" (is_root) where is_root = 1`.execute(db)
}
