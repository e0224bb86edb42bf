import type { Access, Proof } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { assertProven, owesPassword, owesSecondFactor, withoutRights } from '#server/proof.ts'

type OpenAccess = 'open' | 'public'

/** Throws unless the viewer has access. The only place where access is decided. */
export function admit(access: OpenAccess, ctx: Ctx, proof?: Proof): Ctx
export function admit(access: Exclude<Access, OpenAccess>, ctx: Ctx, proof?: Proof): MemberCtx
export function admit(access: Access, ctx: Ctx, proof?: Proof): Ctx | MemberCtx
export function admit(access: Access, ctx: Ctx, proof?: Proof): Ctx | MemberCtx {
  const owes = owesSecondFactor(ctx) || owesPassword(ctx)
  if (access !== 'open' && access !== 'self') assertSiteOpen(ctx)
  if (access === 'open' || access === 'public') return owes ? { ...ctx, viewer: withoutRights(ctx.viewer) } : ctx
  if (ctx.viewer.id === 0) throw errors.access.loginNeeded()
  if (!isAllowed(access, ctx.viewer)) throw errors.access.denied()
  // What concerns only the user stays reachable, so that the second factor can be set up.
  if (owes && access !== 'self')
    throw owesPassword(ctx) ? errors.access.passwordOwed() : errors.access.secondFactorOwed()
  if (proof) assertProven(ctx, proof)
  return { ...ctx, member: true }
}

/** A closed site is open to staff only; a site that requires login, to members only. */
function assertSiteOpen({ settings: { security }, viewer }: Ctx): void {
  if (security.is_close && !viewer.isStaff)
    throw viewer.id === 0 ? errors.access.loginNeeded() : errors.access.siteClosed()
  if (security.login_required && viewer.id === 0) throw errors.access.loginNeeded()
}

function isAllowed(access: Exclude<Access, OpenAccess>, viewer: Ctx['viewer']): boolean {
  if (access === 'member' || access === 'self') return true
  if (access === 'staff') return viewer.isStaff
  if (access === 'administrator') return viewer.isAdministrator
  if (access === 'root') return viewer.isRoot
  return viewer.can(access.permission)
}
