import { randomInt } from 'node:crypto'
import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { requireMail } from '#server/gateways/mail.ts'
import { sealed } from '#server/keys.ts'
import { countAttempt, takeTurn } from '#server/modules/auth/attempts.ts'
import { checkCaptchaForMail } from '#server/modules/auth/captcha.ts'
import { postLetter } from '#server/modules/mail/mail.jobs.ts'
import { emailKey, findUserByEmail } from '../users.queries.ts'

const registering = 0
const minutes = 30
const lifeMs = minutes * 60_000
const gapMs = 60_000
const mostTries = 5

/** Mails the code that registration asks for. The letter is on its way when this ends, not at its goal. */
export async function sendEmailCode(ctx: Ctx, input: Input<typeof users.emailCode>): Promise<void> {
  if (!ctx.settings.security.enable_verify_register_email || input.type !== registering) {
    throw errors.users.codeNotNeeded()
  }
  requireMail(ctx.settings)
  await checkCaptchaForMail(ctx, 'register', input)
  await countAttempt(ctx, `mail:${ctx.origin.network}`, { free: 20, longestMs: 10 * 60_000 })
  if (await findUserByEmail(ctx.db, input.email)) throw errors.users.emailTaken()

  const email = emailKey(input.email)
  const wait = await takeTurn(ctx, `email-code:${email}`, gapMs)
  if (wait > 0) throw errors.users.codeTooSoon(wait)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await transaction(ctx, async (ctx) => {
    await keepCode(ctx, email, code)
    const until = ctx.now() + lifeMs
    await postLetter(ctx, { to: input.email, name: 'register-code', told: { code, minutes }, until })
  })
}

/** Takes a code that was mailed to this address. It serves once, and only a few guesses are allowed. */
export async function useEmailCode(ctx: Ctx, { email, code }: { email: string; code: string }): Promise<void> {
  const latest = await ctx.db
    .selectFrom('email_code')
    .select('id')
    .where('email', '=', emailKey(email))
    .where('type', '=', registering)
    .where('created_at', '>', ctx.now() - lifeMs)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!latest) throw errors.users.codeWrong()
  const guess = await ctx.db
    .updateTable('email_code')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', latest.id)
    .where('used', '=', 0)
    .where('tries', '<', mostTries)
    .returning('code')
    .executeTakeFirst()
  if (guess?.code !== sealed(ctx.keys.codes, code.trim())) throw errors.users.codeWrong()
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

async function keepCode(ctx: Ctx, email: string, code: string): Promise<void> {
  await ctx.db
    .insertInto('email_code')
    .values({ email, type: registering, code: sealed(ctx.keys.codes, code), ip: ctx.origin.ip, created_at: ctx.now() })
    .execute()
}
