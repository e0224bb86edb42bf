import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { countPasskeys, deleteSecurity, findSecurity } from '#server/modules/auth/second-factor/account-security.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'
import { enqueueMail, pageLink } from '#server/modules/mail/mail.service.ts'
import { setPassword, type UserRow } from '../users.queries.ts'

const mailLifeMs = 24 * 60 * 60_000

export interface Recovery {
  /** Whether the link or the code was mailed to the account's address, which is thereby proven. */
  isMailed: boolean
}

/**
 * Ends a recovery in the caller's transaction. An address that is proven for the first time starts the account afresh: a
 * stranger who had entered it would otherwise stay in the account by what the stranger has set up there. Staff keep theirs:
 * no stranger makes such an account, and a mailbox must not replace a second factor.
 */
export async function endRecovery(ctx: Ctx, user: UserRow, password: string, { isMailed }: Recovery): Promise<void> {
  await setPassword(ctx.db, user.id, password, ctx.now())
  await endUserSessions(ctx.db, [user.id])
  if (!isMailed) return
  await proveEmail(ctx, user)
  if (user.email_verified_at !== null) return
  const { isStaff } = await loadViewer(ctx, { ...user, sessionId: 0 })
  if (!isStaff) await startAfresh(ctx, user)
}

async function proveEmail(ctx: Ctx, { id }: UserRow): Promise<void> {
  try {
    await ctx.db.updateTable('user').set({ email_verified_at: ctx.now() }).where('id', '=', id).execute()
  } catch (error) {
    // Another account has proven it since the mail was sent.
    throw isTaken(error, 'email_key') ? errors.users.emailTaken() : error
  }
}

async function startAfresh(ctx: Ctx, user: UserRow): Promise<void> {
  const removed = await removeWaysIn(ctx, user)
  if (removed.length === 0) return
  const params = { username: user.username, list: removed.join('\n'), link: pageLink(ctx, '/me/security') }
  const expiresAt = ctx.now() + mailLifeMs
  await enqueueMail(ctx, { to: user.email, template: 'account-started-afresh', params, expiresAt })
}

/** The ways in that were removed, in words. */
async function removeWaysIn(ctx: Ctx, { id, mobile_verified_at }: UserRow): Promise<string[]> {
  const [passkeys, security] = await Promise.all([countPasskeys(ctx.db, id), findSecurity(ctx.db, id)])
  await deleteSecurity(ctx.db, [id])
  const bindings = await ctx.db.deleteFrom('oauth_binding').where('user_id', '=', id).returning('id').execute()
  if (mobile_verified_at !== null) {
    const unbound = { mobile: '', mobile_verified_at: null }
    await ctx.db.updateTable('user').set(unbound).where('id', '=', id).execute()
  }
  return [
    passkeys > 0 ? `通行密钥 ${passkeys} 个` : '',
    bindings.length > 0 ? `第三方账号 ${bindings.length} 个` : '',
    (security?.totp_enabled_at ?? null) === null ? '' : '验证器和恢复码',
    mobile_verified_at === null ? '' : '绑定的手机号',
  ].filter(Boolean)
}
