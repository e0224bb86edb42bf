import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { passkeys } from '#shared/contract/account-security.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { countAttempt, uncountAttempt } from '#server/modules/auth/attempts.ts'
import { issueChallenge, useChallenge } from '#server/modules/auth/passkeys/challenges.ts'
import { getSiteIdentity } from '#server/modules/auth/passkeys/site-identity.ts'
import { parseAnswer, verifyPasskey } from '#server/modules/auth/passkeys/verify-passkey.ts'
import { countPasskeys, getSecurity, setSecurity } from '#server/modules/auth/second-factor/account-security.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { hasOtherWayIn } from '../sign-in/ways-in.ts'
import { findUser } from '../users.queries.ts'

const maxPasskeys = 20

/** By a passkey alone. It has verified its user, which counts as both factors. */
export async function loginByPasskey(
  ctx: Ctx,
  { passkey }: Input<typeof passkeys.login>,
): Promise<Reply<typeof passkeys.login>> {
  const attempts = `passkey-from:${ctx.origin.network}`
  await countAttempt(ctx, attempts, { free: 50, maxDelayMs: 15 * 60_000 })
  const { user_id } = await verifyPasskey(ctx, passkey, { purpose: 'login', userId: 0 })
  await uncountAttempt(ctx, attempts)
  const user = await findUser(ctx.db, user_id)
  if (!user) throw errors.security.passkeyUnknown()
  return signIn(ctx, user, { way: 'passkey', factor: 'passkey' })
}

export async function listPasskeys(ctx: MemberCtx): Promise<Reply<typeof passkeys.list>> {
  const rows = await ctx.db
    .selectFrom('passkey')
    .select(['id', 'name', 'synced', 'cloned_at', 'used_at', 'created_at'])
    .where('user_id', '=', ctx.viewer.id)
    .orderBy('id')
    .execute()
  return {
    passkey: rows.map(({ synced, cloned_at, ...row }) => ({
      ...row,
      synced: synced === 1,
      cloned: cloned_at !== null,
    })),
  }
}

export async function makeCreateOptions(ctx: MemberCtx): Promise<Reply<typeof passkeys.createOptions>> {
  const { id, username } = ctx.viewer
  const { rpID, rpName } = getSiteIdentity(ctx.settings)
  const rows = await ctx.db.selectFrom('passkey').select('credential_id').where('user_id', '=', id).execute()
  if (rows.length >= maxPasskeys) throw errors.security.tooManyPasskeys(maxPasskeys)
  const { handle } = await getSecurity(ctx.db, id)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userName: username,
    userID: new Uint8Array(Buffer.from(handle, 'base64url')),
    challenge: await issueChallenge(ctx, { purpose: 'register', userId: id }),
    excludeCredentials: rows.map(({ credential_id }) => ({ id: credential_id })),
    // So that it can log in without a name; one that cannot is still a second factor.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { options: JSON.stringify(options) }
}

export async function addPasskey(ctx: MemberCtx, { name, passkey }: Input<typeof passkeys.create>): Promise<void> {
  const { id: userId } = ctx.viewer
  const { rpID, origin } = getSiteIdentity(ctx.settings)
  const { challenge } = parseAnswer(passkey)
  await useChallenge(ctx, { challenge, purpose: 'register', userId })
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { registrationInfo } = await verifyRegistrationResponse({
    response: JSON.parse(passkey) as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch((error: unknown) => {
    ctx.log.info({ error, user: userId }, 'new passkey refused')
    throw errors.security.passkeyRefused()
  })
  if (!registrationInfo) throw errors.security.passkeyRefused()
  const { credential, credentialBackedUp } = registrationInfo
  try {
    await ctx.db
      .insertInto('passkey')
      .values({
        user_id: userId,
        name,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: (credential.transports ?? []).join(','),
        synced: credentialBackedUp ? 1 : 0,
        created_at: ctx.now(),
      })
      .execute()
  } catch (error) {
    throw isTaken(error) ? errors.security.passkeyTwice() : error
  }
}

export async function renamePasskey(ctx: MemberCtx, { id, name }: Input<typeof passkeys.rename>): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', ctx.viewer.id)
    .executeTakeFirst()
  if (!numUpdatedRows) throw errors.security.passkeyNotFound()
}

/** Not the last way in. Without passkeys none is asked for as a second factor. */
export function deletePasskey(ctx: MemberCtx, { id }: Input<typeof passkeys.delete>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const userId = ctx.viewer.id
    const { totp_enabled_at, passkey_second } = await getSecurity(ctx.db, userId)
    const { numDeletedRows } = await ctx.db
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!numDeletedRows) throw errors.security.passkeyNotFound()
    if ((await countPasskeys(ctx.db, userId)) > 0) return
    if (!(await hasOtherWayIn(ctx, userId, 'passkey'))) throw errors.security.lastWayIn()
    if (passkey_second === 0) return
    if (ctx.settings.security.staff_second_factor && ctx.viewer.isStaff && totp_enabled_at === null)
      throw errors.security.demanded()
    await setSecurity(ctx.db, userId, { passkey_second: 0 })
    if (totp_enabled_at === null) await ctx.db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  })
}
