import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { findSecurity } from '../second-factor/account-security.ts'
import { issueChallenge, type PasskeyPurpose, useChallenge } from './challenges.ts'
import { getSiteIdentity } from './site-identity.ts'

export type { PasskeyPurpose } from './challenges.ts'

type PasskeyRow = Selectable<Tables['passkey']>

const Answer = z.object({
  id: z.string(),
  response: z.object({ clientDataJSON: z.string(), userHandle: z.optional(z.nullable(z.string())) }),
})

interface Question {
  purpose: PasskeyPurpose
  /** Who has to answer; 0 for a log-in by the passkey alone, which then has to verify its user (by PIN or body). */
  userId: number
}

/** The options for an authenticator that is to sign, as JSON. With a user, only that user's passkeys are acceptable. */
export async function makeSignOptions(ctx: Ctx, { purpose, userId }: Question): Promise<string> {
  const { rpID } = getSiteIdentity(ctx.settings)
  const rows =
    userId === 0 ? [] : await ctx.db.selectFrom('passkey').selectAll().where('user_id', '=', userId).execute()
  // 24 MB of memory, which a site without passkeys does without.
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: await issueChallenge(ctx, { purpose, userId }),
    userVerification: userId === 0 ? 'required' : 'preferred',
    allowCredentials: rows.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transports.split(',').filter(Boolean),
    })),
  })
  return JSON.stringify(options)
}

/** Throws unless a passkey of the right user has signed the challenge for this site. */
export async function verifyPasskey(ctx: Ctx, answer: string, { purpose, userId }: Question): Promise<PasskeyRow> {
  const { rpID, origin } = getSiteIdentity(ctx.settings)
  const { id, response, challenge } = parseAnswer(answer)
  await useChallenge(ctx, { challenge, purpose, userId })
  const row = await ctx.db.selectFrom('passkey').selectAll().where('credential_id', '=', id).executeTakeFirst()
  if (!row || (userId !== 0 && row.user_id !== userId)) throw errors.security.passkeyUnknown()
  if (userId === 0) await assertHandle(ctx, row, response.userHandle)
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response: JSON.parse(answer) as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: userId === 0,
    // The library would refuse a counter before it has checked the signature: it is compared below.
    credential: { id, publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')), counter: 0 },
  }).catch((error: unknown) => {
    ctx.log.info({ error, passkey: row.id }, 'passkey refused')
    return undefined
  })
  if (!verified?.verified) throw errors.security.passkeyRefused()
  await assertNotCloned(ctx, row, verified.authenticationInfo.newCounter)
  return row
}

/**
 * Authenticators that count have to go up with each signature. One that does not was copied: neither it nor the copy is
 * accepted any more. Those that do not count, as synced passkeys, always say 0.
 */
async function assertNotCloned(ctx: Ctx, row: PasskeyRow, counter: number): Promise<void> {
  if (row.cloned_at !== null) throw errors.security.passkeyCloned()
  const isBack = (counter > 0 || row.counter > 0) && counter <= row.counter
  if (isBack) {
    await ctx.db.updateTable('passkey').set({ cloned_at: ctx.now() }).where('id', '=', row.id).execute()
    ctx.log.warn({ passkey: row.id, user: row.user_id, counter, expected: row.counter }, 'passkey may be cloned')
    throw errors.security.passkeyCloned()
  }
  const { numUpdatedRows } = await ctx.db
    .updateTable('passkey')
    .set({ counter, used_at: ctx.now() })
    .where('id', '=', row.id)
    // Two signatures at once: the second is compared with a counter that is out of date.
    .where('counter', '=', row.counter)
    .executeTakeFirst()
  if (!numUpdatedRows) throw errors.security.passkeyRefused()
}

/** A passkey that logs in alone names the account itself. */
async function assertHandle(ctx: Ctx, { user_id }: PasskeyRow, handle: string | null | undefined): Promise<void> {
  const security = await findSecurity(ctx.db, user_id)
  if (!security || security.handle !== handle) throw errors.security.passkeyUnknown()
}

/** The parts of an answer that say who and what is answered; the rest is checked by the library. */
export function parseAnswer(answer: string): z.output<typeof Answer> & { challenge: string } {
  try {
    const parsed = z.parse(Answer, JSON.parse(answer))
    const client: unknown = JSON.parse(Buffer.from(parsed.response.clientDataJSON, 'base64url').toString())
    const { challenge } = z.parse(z.object({ challenge: z.string() }), client)
    return { ...parsed, challenge }
  } catch {
    throw errors.security.passkeyRefused()
  }
}
