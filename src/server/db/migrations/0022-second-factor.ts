import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Two-step verification, passkeys, and how each session was opened. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await plain('account_security', (t) =>
    t
      .int('user_id')
      .key('handle')
      .text('totp_secret')
      .text('totp_pending')
      .optional('totp_enabled_at')
      .int('totp_last_step')
      .flag('passkey_second')
      .flag('mails_new_devices', 1)
      .optional('demanded_at')
      .primary(['user_id'])
      .unique(['handle']),
  )
  await table('recovery_code', (t) => t.int('user_id').key('hash').optional('used_at').unique(['user_id', 'hash']))
  await table('passkey', (t) =>
    t
      .int('user_id')
      .text('name')
      .key('credential_id')
      .text('public_key')
      .int('counter')
      .text('transports')
      .flag('synced')
      .optional('cloned_at')
      .optional('used_at')
      .int('created_at')
      .unique(['credential_id']),
  )
  await index('passkey', ['user_id'])
  await plain('passkey_challenge', (t) =>
    t.key('challenge').text('purpose').int('user_id').int('expires_at').primary(['challenge']),
  )
  await plain('used_login_challenge', (t) => t.key('id').int('expires_at').primary(['id']))
  await plain('known_device', (t) => t.int('user_id').key('device').int('seen_at').primary(['user_id', 'device']))
  await db.schema
    .alterTable('session')
    .addColumn('way', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('session')
    .addColumn('factor', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('session')
    .addColumn('proven_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
