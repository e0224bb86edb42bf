import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertMailEnabled } from '#server/gateways/mail.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { countAttempt, throttle } from '#server/modules/auth/attempts.ts'
import { checkCaptchaForCode, checkCaptchaForMail } from '#server/modules/auth/captcha.ts'
import { type CodeAddress, createCode } from '#server/modules/auth/verification-codes.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { emailKey, findUserByEmail } from '../users.queries.ts'

const minutes = 30
const lifeMs = minutes * 60_000
const minIntervalMs = 60_000
const maxEveryDay = 20

type EmailCodeInput = Input<typeof users.emailCode>

export function emailTarget(email: string, scene: CodeScene): CodeAddress {
  return { kind: 'email', target: emailKey(email), scene }
}

/** Enqueues a mail with a code. For a login or a new password the answer is the same whether or not there is an account. */
export async function sendEmailCode(ctx: Ctx, input: EmailCodeInput): Promise<void> {
  assertSceneIsOn(ctx, input)
  assertMailEnabled(ctx.settings)
  await checkSceneCaptcha(ctx, input)
  await countAttempt(ctx, `mail:${ctx.origin.network}`, { free: 20, maxDelayMs: 10 * 60_000 })
  const user = await findUserByEmail(ctx.db, input.email)
  if (input.type === CodeScene.Register && user) throw errors.users.emailTaken()
  // Anyone could have entered an address that was never proven, and would stay in the account with its holder.
  const isProven = user !== undefined && user.email_verified_at !== null
  const isMailed = { [CodeScene.Register]: true, [CodeScene.Login]: isProven, [CodeScene.FindPassword]: Boolean(user) }

  const address = emailTarget(input.email, input.type)
  await transaction(ctx, async (ctx) => {
    const retryAfter = await throttle(ctx, `email-code:${address.target}`, minIntervalMs)
    if (retryAfter > 0) throw errors.users.codeTooSoon(retryAfter)
    if (!(await consumeQuota(ctx, { quota: 'code.email', subject: address.target, limit: maxEveryDay })))
      throw errors.users.codeTooOften()
    if (!isMailed[input.type]) return
    const params = { code: await createCode(ctx, address, lifeMs), minutes }
    const to = user?.email ?? input.email
    await enqueueMail(ctx, { to, template: templates[input.type], params, expiresAt: ctx.now() + lifeMs })
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
