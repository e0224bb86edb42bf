import { randomBytes } from 'node:crypto'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'

/** What an authenticator signs. One for each question, valid once. */
export type PasskeyPurpose = 'register' | 'login' | 'second factor' | 'proof'

const lifeMs = 5 * 60_000

/** `userId` is 0 while it is not known which member will answer. */
export async function issueChallenge(
  ctx: Ctx,
  { purpose, userId }: { purpose: PasskeyPurpose; userId: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  await ctx.db
    .insertInto('passkey_challenge')
    .values({
      challenge: Buffer.from(challenge).toString('base64url'),
      purpose,
      user_id: userId,
      expires_at: ctx.now() + lifeMs,
    })
    .execute()
  return challenge
}

/** Uses up the challenge that an answer names. */
export async function useChallenge(
  ctx: Ctx,
  { challenge, purpose, userId }: { challenge: string; purpose: PasskeyPurpose; userId: number },
): Promise<void> {
  const row = await ctx.db
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('user_id', '=', userId)
    .where('expires_at', '>', ctx.now())
    .returning('challenge')
    .executeTakeFirst()
  if (!row) throw errors.security.challengeOver()
}

export async function purgeChallenges(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('passkey_challenge').where('expires_at', '<', ctx.now()).execute()
}
