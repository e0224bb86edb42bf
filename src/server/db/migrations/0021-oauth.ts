import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Accounts of other sites that members log in with, and what such a log-in leaves on its way. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await table('oauth_binding', (t) =>
    t
      .int('user_id')
      .key('type')
      .text('issuer')
      .key('openid')
      .text('unionid')
      .text('name')
      .text('avatar')
      .stamps()
      .unique(['type', 'issuer', 'openid'])
      .unique(['user_id', 'type']),
  )
  await index('oauth_binding', ['unionid'])

  await plain('oauth_state', (t) =>
    t
      .key('hash')
      .key('type')
      .key('browser')
      .key('nonce')
      .key('code_verifier')
      .key('intent')
      .int('user_id')
      .text('redirect')
      .int('expires_at')
      .primary(['hash']),
  )
  await index('oauth_state', ['expires_at'])

  await plain('oauth_ticket', (t) =>
    t
      .key('hash')
      .key('type')
      .text('issuer')
      .key('openid')
      .text('unionid')
      .text('name')
      .text('avatar')
      .text('email')
      .text('scene')
      .int('expires_at')
      .primary(['hash']),
  )
  await index('oauth_ticket', ['expires_at'])

  await plain('scan_login', (t) =>
    t.key('scene').key('secret_hash').key('intent').key('status').int('user_id').int('expires_at').primary(['scene']),
  )
  await index('scan_login', ['expires_at'])
}
