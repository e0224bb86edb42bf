import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/**
 * What an entry of the audit log says was done, and to what, as it was called then. Staff: invited, in a group until a day,
 * with a first password of their own. Authors whom reviewers trust.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table } = tableMaker(db, engine)
  const addText = (to: string, name: string, fallback: string) =>
    db.schema
      .alterTable(to)
      .addColumn(name, 'text', (type) => type.notNull().defaultTo(sql.lit(fallback)))
      .execute()
  const addFlag = (to: string, name: string) =>
    db.schema
      .alterTable(to)
      .addColumn(name, 'smallint', (type) => type.notNull().defaultTo(0))
      .execute()
  await addText('audit_log', 'sentence', '')
  await addText('audit_log', 'targets', '[]')
  await addFlag('user', 'must_change_password')
  await addFlag('user', 'is_trusted')
  await db.schema.alterTable('user_group').addColumn('ends_at', 'bigint').execute()
  await table('invitation', (t) =>
    t
      .key('token_hash')
      .text('email')
      .text('group_ids')
      .optional('member_until')
      .int('user_id')
      .int('expires_at')
      .optional('used_at')
      .int('used_by')
      .optional('withdrawn_at')
      .stamps()
      .unique(['token_hash']),
  )
}
