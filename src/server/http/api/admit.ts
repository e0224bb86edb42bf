import type { Access } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'

/** Lets a request through to its handler, or says why not. The one place where access is decided. */
export function admit(access: Access, ctx: Ctx): MemberCtx {
  const { viewer } = ctx
  const member: MemberCtx = { ...ctx, member: true }
  if (access === 'open') return member
  if (access !== 'self') siteOpenTo(ctx)
  if (access === 'public') return member
  if (viewer.id === 0) throw errors.access.loginNeeded()
  if (!allowed(access, viewer)) throw errors.access.denied()
  return member
}

/** A closed site is open to staff only; one that asks for login, to members only. */
function siteOpenTo({ settings: { security }, viewer }: Ctx): void {
  if (security.is_close && !viewer.isStaff)
    throw viewer.id === 0 ? errors.access.loginNeeded() : errors.access.siteClosed()
  if (security.login_required && viewer.id === 0) throw errors.access.loginNeeded()
}

function allowed(access: Exclude<Access, 'open' | 'public'>, viewer: Ctx['viewer']): boolean {
  if (access === 'member' || access === 'self') return true
  if (access === 'staff') return viewer.isStaff
  if (access === 'root') return viewer.isRoot
  return viewer.can(access.permission)
}
