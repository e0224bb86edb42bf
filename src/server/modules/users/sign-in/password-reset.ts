import { randomBytes } from 'node:crypto'
import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertMailEnabled } from '#server/gateways/mail.ts'
import { enqueue, type JobPayload } from '#server/jobs.ts'
import { fingerprint } from '#server/keys.ts'
import { countAttempt } from '#server/modules/auth/attempts.ts'
import { checkCaptcha } from '#server/modules/auth/captcha.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { emailKey, findRecoverable, findUser, type UserRow } from '../users.queries.ts'
import { endRecovery } from './end-recovery.ts'

const minute = 60_000

/**
 * Step one: has a link mailed to the account's address. The answer is the same, in words and in time, for an address that no
 * account has: a job finds the account.
 */
export async function mailResetLink(ctx: Ctx, input: Input<typeof users.requestPasswordReset>): Promise<void> {
  assertMailEnabled(ctx.settings)
  if (!ctx.settings.system.domain) throw errors.mail.noDomain()
  await checkCaptcha(ctx, 'find_password', input)
  await countAttempt(ctx, `mail:${ctx.origin.network}`, { free: 20, maxDelayMs: 10 * minute })
  await countAttempt(ctx, `reset:${emailKey(input.email)}`, { free: 3, maxDelayMs: 15 * minute })
  await enqueue(ctx, 'users.mail-reset-links', { email: input.email })
}

/** The second half of `mailResetLink`. */
export async function mailResetLinks(ctx: Ctx, { email }: JobPayload<'users.mail-reset-links'>): Promise<void> {
  const accounts = await findRecoverable(ctx.db, email)
  await transaction(ctx, async (ctx) => {
    for (const user of accounts) await mailLinkTo(ctx, user)
  })
}

/** The host of the link is the configured one, never that of a request. */
async function mailLinkTo(ctx: Ctx, user: UserRow): Promise<void> {
  const { email, system } = ctx.settings
  const token = randomBytes(32).toString('base64url')
  const expires_at = ctx.now() + email.duration * minute
  const link = new URL('/findpassword', system.domain)
  link.search = new URLSearchParams({ token, email: user.email }).toString()
  const params = { username: user.username, link: link.href, minutes: email.duration }
  await transaction(ctx, async (ctx) => {
    await ctx.db
      .insertInto('reset_token')
      .values({ hash: fingerprint(token), user_id: user.id, email: user.email_key, expires_at })
      .execute()
    await enqueueMail(ctx, { to: user.email, template: 'reset-link', params, expiresAt: expires_at })
  })
}

/** Step two: the link is valid once, and only while the account still has the address that it was mailed to. */
export async function resetPassword(ctx: Ctx, input: Input<typeof users.resetPassword>): Promise<void> {
  await checkCaptcha(ctx, 'find_password', input)
  await countAttempt(ctx, `reset-from:${ctx.origin.network}`, { free: 20, maxDelayMs: 10 * minute })
  const password = await hashPassword(input.password)
  await transaction(ctx, async (ctx) => {
    const token = await ctx.db
      .deleteFrom('reset_token')
      .where('hash', '=', fingerprint(input.token))
      .where('email', '=', emailKey(input.email))
      .where('expires_at', '>', ctx.now())
      .returningAll()
      .executeTakeFirst()
    const user = token && (await findUser(ctx.db, token.user_id))
    if (!user || user.email_key !== token.email) throw errors.users.resetLinkWrong()
    // Inside, so that the link stays valid for a better password.
    assertStrongPassword(ctx, input.password, user)
    await endRecovery(ctx, user, password, { isMailed: true })
  })
}

export async function purgeResetTokens(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('reset_token').where('expires_at', '<', ctx.now()).execute()
}
