import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertMailEnabled } from '#server/gateways/mail.ts'
import { enqueue, type JobPayload } from '#server/jobs.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { countAttempt, throttle } from '#server/modules/auth/attempts.ts'
import { checkCaptchaForCode, checkCaptchaForMail } from '#server/modules/auth/captcha.ts'
import { type CodeAddress, createCode } from '#server/modules/auth/verification-codes.ts'
import { enqueueMail, pageLink } from '#server/modules/mail/mail.service.ts'
import { emailKey, findRecoverable, findUserByEmail, type UserRow } from '../users.queries.ts'
import { mailResetLinks } from './password-reset.ts'

const minutes = 30
const lifeMs = minutes * 60_000
const minIntervalMs = 60_000
const maxEveryDay = 20

type EmailCodeInput = Input<typeof users.emailCode>

export function emailTarget(email: string, scene: CodeScene): CodeAddress {
  return { kind: 'email', target: emailKey(email), scene }
}

/**
 * Has a code mailed. The answer is the same, in words and in time, whether or not there is an account: who gets which mail is
 * decided by a job.
 */
export async function sendEmailCode(ctx: Ctx, input: EmailCodeInput): Promise<void> {
  assertSceneIsOn(ctx, input)
  assertMailEnabled(ctx.settings)
  await checkSceneCaptcha(ctx, input)
  await countAttempt(ctx, `mail:${ctx.origin.network}`, { free: 20, maxDelayMs: 10 * 60_000 })
  await transaction(ctx, async (ctx) => {
    const subject = emailKey(input.email)
    const retryAfter = await throttle(ctx, `email-code:${subject}`, minIntervalMs)
    if (retryAfter > 0) throw errors.users.codeTooSoon(retryAfter)
    if (!(await consumeQuota(ctx, { quota: 'code.email', subject, limit: maxEveryDay })))
      throw errors.users.codeTooOften()
    await enqueue(ctx, 'users.mail-code', { email: input.email, scene: input.type })
  })
}

/**
 * The account whose password a mailed code sets anew. A code does not say for which of several accounts it is, none of which
 * has proven the address: each of them gets a link with its user name, where links can be mailed.
 */
export async function findResettable(ctx: Ctx, email: string): Promise<UserRow | undefined> {
  const [account, ...others] = await findRecoverable(ctx.db, email)
  return others.length > 0 && ctx.settings.system.domain ? undefined : account
}

/** The second half of `sendEmailCode`. The holder of an address that wants to register again is told of the account. */
export function mailCode(ctx: Ctx, { email, scene }: JobPayload<'users.mail-code'>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const holder = await findUserByEmail(ctx.db, email)
    const expiresAt = ctx.now() + lifeMs
    if (scene === CodeScene.Register && holder) {
      const params = { username: holder.username, link: pageLink(ctx, '/login') }
      await enqueueMail(ctx, { to: holder.email, template: 'already-registered', params, expiresAt })
      return
    }
    // A login needs a proven address: anyone could have entered another one, and would stay in the account with its holder.
    const account = scene === CodeScene.FindPassword ? await findResettable(ctx, email) : holder
    if (scene === CodeScene.FindPassword && !account) return mailResetLinks(ctx, { email })
    if (scene === CodeScene.Login && !account) return
    const params = { code: await createCode(ctx, emailTarget(email, scene), lifeMs), minutes }
    await enqueueMail(ctx, { to: account?.email ?? email, template: templates[scene], params, expiresAt })
  })
}

const templates = {
  [CodeScene.Register]: 'register-code',
  [CodeScene.Login]: 'login-code',
  [CodeScene.FindPassword]: 'reset-code',
} as const

function assertSceneIsOn({ settings: { security, email } }: Ctx, { type }: EmailCodeInput): void {
  if (type === CodeScene.Register && !security.enable_verify_register_email) throw errors.users.codeNotNeeded()
  if (type === CodeScene.Login && !email.enable_login) throw errors.users.emailLoginOff()
}

function checkSceneCaptcha(ctx: Ctx, input: EmailCodeInput): Promise<void> {
  // Its form is sent with the same captcha.
  if (input.type === CodeScene.Register) return checkCaptchaForMail(ctx, 'register', input)
  return checkCaptchaForCode(ctx, input.type === CodeScene.Login ? 'login' : 'find_password', input)
}
