import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Sms, codes by mail and sms in one table, and numbers that members have proven to hold. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = tableMaker(db, engine)
  await table('verification_code', (t) =>
    t
      .key('kind')
      .key('target')
      .int('scene')
      .key('code')
      .int('tries')
      .flag('used')
      .text('ip')
      .int('expires_at')
      .int('created_at'),
  )
  await index('verification_code', ['target', 'scene', 'kind'])
  await index('verification_code', ['expires_at'])
  // Codes live for minutes: those on their way are asked for again.
  await db.schema.dropTable('email_code').execute()

  await table('sms', (t) =>
    t
      .key('mobile')
      .int('scene')
      .key('provider')
      .int('status')
      .text('reason')
      .int('segments', 1)
      .int('cost')
      .text('ip')
      .stamps(),
  )
  await index('sms', ['created_at', 'id'])
  await index('sms', ['mobile'])

  await db.schema.alterTable('user').addColumn('mobile_verified_at', 'bigint').execute()
}
