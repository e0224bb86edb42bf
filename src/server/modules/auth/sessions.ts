import { jwtVerify, SignJWT } from 'jose'
import { expressionBuilder } from 'kysely'
import type { Tables } from '#server/db/tables.ts'
import { hmac, timingSafeEqualText } from '#server/keys.ts'
import type { Ctx } from '#server/context.ts'

/** A token refers to a row of the session table: without the row it is invalid. */
export interface TokenClaims {
  userId: number
  sessionId: number
}

const issuer = 'wendou'
const dayMs = 86_400_000

/** How a session was opened; empty where it is not known. */
export interface SessionOrigin {
  way?: string
  factor?: string
}

export async function openSession(
  ctx: Ctx,
  userId: number,
  { way = '', factor = '' }: SessionOrigin = {},
): Promise<string> {
  const now = ctx.now()
  const expires_at = now + ctx.settings.security.session_days * dayMs
  const { id } = await ctx.db
    .insertInto('session')
    .values({
      user_id: userId,
      ip: ctx.origin.ip,
      user_agent: ctx.origin.userAgent.slice(0, 512),
      expires_at,
      last_seen_at: now,
      created_at: now,
      way,
      factor,
      // Logging in is a proof.
      proven_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return new SignJWT({ sid: id })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(String(userId))
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expires_at / 1000))
    .sign(ctx.keys.session)
}

/** Neither too old nor unused for too long: the limits that hold now, also for sessions from before they were changed. */
export function isLive({ now, settings }: { now: number; settings: Ctx['settings'] }) {
  const { session_days, session_idle_days } = settings.security
  const eb = expressionBuilder<Tables, 'session'>()
  return eb.and([
    eb('session.expires_at', '>', now),
    eb('session.created_at', '>', now - session_days * dayMs),
    ...(session_idle_days > 0 ? [eb('session.last_seen_at', '>', now - session_idle_days * dayMs)] : []),
  ])
}

/** The member has just proven, in this session, to be the owner of the account. */
export async function noteProof({ db, viewer, now }: Pick<Ctx, 'db' | 'viewer' | 'now'>): Promise<void> {
  await db.updateTable('session').set({ proven_at: now() }).where('id', '=', viewer.sessionId).execute()
}

/** Undefined unless the token has our signature and has not expired. */
export async function readToken(keys: Ctx['keys'], token: string, now: number): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys.session, {
      algorithms: ['HS256'],
      issuer,
      currentDate: new Date(now),
    })
    const claims = { userId: Number(payload.sub), sessionId: Number(payload.sid) }
    return Number.isSafeInteger(claims.userId) && Number.isSafeInteger(claims.sessionId) ? claims : undefined
  } catch {
    return undefined
  }
}

/**
 * A cookie for uploaded pictures, whose addresses carry no token: those of payments are for sessions only, and while the
 * site is not open to visitors, all are. It names the session and is good for nothing else.
 */
export function makePictureCookie(ctx: Pick<Ctx, 'keys' | 'settings'>, sessionId: number): string {
  const { security, system } = ctx.settings
  const attributes = `Path=/uploads; Max-Age=${security.session_days * 86_400}; HttpOnly; SameSite=Lax`
  const secure = system.domain.startsWith('https:') ? '; Secure' : ''
  return `wendou_pictures=${sessionId}.${signPictures(ctx.keys, sessionId)}; ${attributes}${secure}`
}

/** The session that a request's cookies name, or 0. */
export function readPictureCookie(keys: Ctx['keys'], cookies: string): number {
  const [, id = '', signature = ''] = /(?:^|;\s*)wendou_pictures=(\d{1,15})\.([\w-]+)/.exec(cookies) ?? []
  return timingSafeEqualText(signature, signPictures(keys, Number(id))) ? Number(id) : 0
}

function signPictures(keys: Ctx['keys'], sessionId: number): string {
  return hmac(keys.view, `pictures:${sessionId}`)
}

export async function endSession(db: Ctx['db'], id: number): Promise<void> {
  await db.deleteFrom('session').where('id', '=', id).execute()
}

/** Invalidates all tokens of these users. */
export async function endUserSessions(db: Ctx['db'], userIds: readonly number[]): Promise<void> {
  if (userIds.length > 0) await db.deleteFrom('session').where('user_id', 'in', userIds).execute()
}

/** Invalidates all tokens of the viewer but the current one. */
export async function endOtherSessions({ db, viewer }: Pick<Ctx, 'db' | 'viewer'>): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', viewer.id).where('id', '<>', viewer.sessionId).execute()
}

export async function purgeSessions(ctx: Ctx): Promise<void> {
  await ctx.db
    .deleteFrom('session')
    .where((eb) => eb.not(isLive({ now: ctx.now(), settings: ctx.settings })))
    .execute()
}
