import { type Kysely, sql } from 'kysely'

/** A site that has users already goes on asking for a captcha with every login. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into setting (category, name, value, updated_at)
    select 'security', 'captcha_after_failures', '0', 0 where exists (select 1 from "user")
    on conflict (category, name) do nothing
  `.execute(db)
}
