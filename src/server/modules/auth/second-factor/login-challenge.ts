import { jwtVerify, SignJWT } from 'jose'
import type { Ctx } from '#server/context.ts'
import { fingerprint } from '#server/keys.ts'

/**
 * Stands for a log-in that lacks its second factor. It is signed, not stored, so that it outlives the transaction of the
 * log-in, which is rolled back; the database knows those that were used.
 */
interface LoginChallenge {
  id: string
  userId: number
  /** Of the stored password at that time. */
  password: string
  /** How the member has logged in so far. */
  way: string
  expiresAt: number
}

/** Unlike that of sessions: a challenge is no token. */
const issuer = 'wendou-login-challenge'
const lifeMs = 10 * 60_000

export function issueLoginChallenge(
  ctx: Ctx,
  { user, way }: { user: { id: number; password: string }; way: string },
): Promise<string> {
  const now = ctx.now()
  return new SignJWT({ way, password: fingerprint(user.password) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setJti(ctx.id())
    .setSubject(String(user.id))
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor((now + lifeMs) / 1000))
    .sign(ctx.keys.session)
}

/** Undefined if it is forged, expired or used. */
export async function readLoginChallenge(ctx: Ctx, token: string): Promise<LoginChallenge | undefined> {
  const challenge = await verify(ctx, token)
  if (!challenge) return undefined
  const used = await ctx.db
    .selectFrom('used_login_challenge')
    .select('id')
    .where('id', '=', challenge.id)
    .executeTakeFirst()
  return used ? undefined : challenge
}

/** Whether this caller is the first to use it. */
export async function useLoginChallenge(ctx: Ctx, { id, expiresAt }: LoginChallenge): Promise<boolean> {
  const row = await ctx.db
    .insertInto('used_login_challenge')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function purgeLoginChallenges(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('used_login_challenge').where('expires_at', '<', ctx.now()).execute()
}

async function verify(ctx: Ctx, token: string): Promise<LoginChallenge | undefined> {
  try {
    const { payload } = await jwtVerify(token, ctx.keys.session, {
      algorithms: ['HS256'],
      issuer,
      currentDate: new Date(ctx.now()),
    })
    return {
      id: String(payload.jti),
      userId: Number(payload.sub),
      password: String(payload.password),
      way: String(payload.way),
      expiresAt: Number(payload.exp) * 1000,
    }
  } catch {
    return undefined
  }
}
