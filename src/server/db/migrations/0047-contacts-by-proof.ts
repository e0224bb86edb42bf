import { type Kysely, sql } from 'kysely'

const contacts = [
  ['email_key', 'email_verified_at'],
  ['mobile', 'mobile_verified_at'],
] as const

/** An address or a number belongs to one account once its holder has proven it. Until then any number may name it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [column, verifiedAt] of contacts) {
    await db.schema.dropIndex(`user_${column}_unique`).execute()
    await db.schema
      .createIndex(`user_${column}_unique`)
      .on('user')
      .column(column)
      .unique()
      .where(sql<boolean>`${sql.ref(column)} <> '' and ${sql.ref(verifiedAt)} is not null`)
      .execute()
    await db.schema.createIndex(`user_${column}`).on('user').column(column).execute()
  }
}
