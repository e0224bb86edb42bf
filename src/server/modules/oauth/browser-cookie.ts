import { randomBytes } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import { fingerprint } from '#server/keys.ts'

/**
 * A cookie that tells a browser from others, so that only the one that was sent to a provider can come back from there. It
 * says nothing of a member, and all tabs share it.
 */

const lifeSeconds = 10 * 60

/** A hash of the browser's cookie, which it is given unless it has one. */
export function markBrowser(ctx: Ctx): string {
  const value = readCookie(ctx) ?? randomBytes(32).toString('base64url')
  const secure = isSecure(ctx) ? '; Secure' : ''
  ctx.cookies?.set(`${cookieName(ctx)}=${value}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`)
  return fingerprint(value)
}

/** The same hash for a browser that comes back; empty without the cookie. */
export function findBrowser(ctx: Ctx): string {
  const value = readCookie(ctx)
  return value === undefined ? '' : fingerprint(value)
}

function readCookie(ctx: Ctx): string | undefined {
  const value = ctx.cookies?.get(cookieName(ctx))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** The prefix keeps other hosts of the domain from setting it; browsers allow it over HTTPS alone. */
function cookieName(ctx: Ctx): string {
  return isSecure(ctx) ? '__Host-wendou_oauth' : 'wendou_oauth'
}

function isSecure({ settings }: Ctx): boolean {
  return settings.system.domain.startsWith('https:')
}
