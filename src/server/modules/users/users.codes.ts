import { randomInt } from 'node:crypto'
import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { escapeHtml } from '#server/html.ts'
import { sealed } from '#server/keys.ts'
import { countAttempt, forgetAttempts, takeTurn } from '../access/access.attempts.ts'
import { checkCaptchaForMail } from '../access/access.captcha.ts'
import { emailKey, findUserByEmail } from './users.queries.ts'

const registering = 0
const lifeMs = 30 * 60_000
const gapMs = 60_000
const mostTries = 5

/** Mails the code that registration asks for. */
export async function sendEmailCode(ctx: Ctx, input: Input<typeof users.emailCode>): Promise<void> {
  if (!ctx.settings.security.enable_verify_register_email || input.type !== registering) {
    throw errors.users.codeNotNeeded()
  }
  await checkCaptchaForMail(ctx, 'register', input)
  await countAttempt(ctx, `mail:${ctx.origin.network}`, { free: 20, longestMs: 10 * 60_000 })
  if (await findUserByEmail(ctx.db, input.email)) throw errors.users.emailTaken()

  const email = emailKey(input.email)
  const turn = `email-code:${email}`
  const wait = await takeTurn(ctx, turn, gapMs)
  if (wait > 0) throw errors.users.codeTooSoon(wait)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const id = await keepCode(ctx, email, code)
  const { sitename } = ctx.settings.system
  try {
    await ctx.mail.send(ctx.settings, {
      to: input.email,
      subject: `${sitename} 注册验证码`,
      text: `您的注册验证码是 ${code}，30 分钟内有效。如果不是您本人操作，请忽略本邮件。`,
      html: `<p>您正在注册 <b>${escapeHtml(sitename)}</b>，验证码是：</p><p style="font-size:24px;letter-spacing:4px"><b>${code}</b></p><p>30 分钟内有效。如果不是您本人操作，请忽略本邮件。</p>`,
    })
  } catch (error) {
    await ctx.db.deleteFrom('email_code').where('id', '=', id).execute()
    await forgetAttempts(ctx, [turn])
    throw error
  }
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

async function keepCode(ctx: Ctx, email: string, code: string): Promise<number> {
  const { id } = await ctx.db
    .insertInto('email_code')
    .values({ email, type: registering, code: sealed(ctx.keys.codes, code), ip: ctx.origin.ip, created_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
