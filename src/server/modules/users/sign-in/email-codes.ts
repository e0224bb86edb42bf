import { EmailCodePurpose } from '#shared/enums.ts'
import { randomInt } from 'node:crypto'
import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertMailEnabled } from '#server/gateways/mail.ts'
import { hmac } from '#server/keys.ts'
import { countAttempt, throttle } from '#server/modules/auth/attempts.ts'
import { checkCaptchaForMail } from '#server/modules/auth/captcha.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { emailKey, findUserByEmail } from '../users.queries.ts'

const minutes = 30
const lifeMs = minutes * 60_000
const minIntervalMs = 60_000
const maxTries = 5

/** Enqueues a mail with the code that registration requires. */
export async function sendEmailCode(ctx: Ctx, input: Input<typeof users.emailCode>): Promise<void> {
  if (!ctx.settings.security.enable_verify_register_email || input.type !== EmailCodePurpose.Register) {
    throw errors.users.codeNotNeeded()
  }
  assertMailEnabled(ctx.settings)
  await checkCaptchaForMail(ctx, 'register', input)
  await countAttempt(ctx, `mail:${ctx.origin.network}`, { free: 20, maxDelayMs: 10 * 60_000 })
  if (await findUserByEmail(ctx.db, input.email)) throw errors.users.emailTaken()

  const email = emailKey(input.email)
  const retryAfter = await throttle(ctx, `email-code:${email}`, minIntervalMs)
  if (retryAfter > 0) throw errors.users.codeTooSoon(retryAfter)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await transaction(ctx, async (ctx) => {
    await storeCode(ctx, email, code)
    const params = { code, minutes }
    await enqueueMail(ctx, { to: input.email, template: 'register-code', params, expiresAt: ctx.now() + lifeMs })
  })
}

/** Uses up a code that was mailed to this address. It is valid once, and only a few guesses are allowed. */
export async function useEmailCode(ctx: Ctx, { email, code }: { email: string; code: string }): Promise<void> {
  const latest = await ctx.db
    .selectFrom('email_code')
    .select('id')
    .where('email', '=', emailKey(email))
    .where('type', '=', EmailCodePurpose.Register)
    .where('created_at', '>', ctx.now() - lifeMs)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!latest) throw errors.users.codeWrong()
  const guess = await ctx.db
    .updateTable('email_code')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', latest.id)
    .where('used', '=', 0)
    .where('tries', '<', maxTries)
    .returning('code')
    .executeTakeFirst()
  if (guess?.code !== hmac(ctx.keys.codes, code.trim())) throw errors.users.codeWrong()
  const { numUpdatedRows } = await ctx.db
    .updateTable('email_code')
    .set({ used: 1 })
    .where('id', '=', latest.id)
    .where('used', '=', 0)
    .executeTakeFirst()
  if (!numUpdatedRows) throw errors.users.codeWrong()
}

export async function purgeEmailCodes(ctx: Ctx): Promise<void> {
  await ctx.db
    .deleteFrom('email_code')
    .where('created_at', '<', ctx.now() - lifeMs)
    .execute()
}

async function storeCode(ctx: Ctx, email: string, code: string): Promise<void> {
  await ctx.db
    .insertInto('email_code')
    .values({
      email,
      type: EmailCodePurpose.Register,
      code: hmac(ctx.keys.codes, code),
      ip: ctx.origin.ip,
      created_at: ctx.now(),
    })
    .execute()
}
