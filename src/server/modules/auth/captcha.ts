import type { CaptchaPurpose } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { makeCaptcha } from '#server/gateways/captcha/captcha.ts'
import { timingSafeEqualText, hmac } from '#server/keys.ts'

interface CaptchaAnswer {
  captcha: string
  captcha_id: string
}

const lifeMs = 10 * 60_000

export async function issueCaptcha(ctx: Ctx, purpose: CaptchaPurpose) {
  if (!captchaNeeded(ctx.settings, purpose)) return { enable: false, id: '', captcha: '', type: '' }
  const { answer, data } = await makeCaptcha(ctx.settings.captcha)
  const id = ctx.id()
  const row = { id, purpose, answer: hmac(ctx.keys.codes, answer), expires_at: ctx.now() + lifeMs }
  await ctx.db.insertInto('captcha').values(row).execute()
  return { enable: true, id, captcha: data, type: ctx.settings.captcha.type }
}

/** Each captcha can be tried once, and only for its purpose. */
export async function checkCaptcha(ctx: Ctx, purpose: CaptchaPurpose, answer: CaptchaAnswer): Promise<void> {
  if (!captchaNeeded(ctx.settings, purpose)) return
  assertAnswered(answer)
  const row = await ctx.db.deleteFrom('captcha').where('id', '=', answer.captcha_id).returningAll().executeTakeFirst()
  if (!row || !isCorrect(ctx, row, purpose, answer)) throw errors.captcha.wrong()
}

/** Before a code is sent: a captcha for that, or for the form that the code is for, as older clients send it. */
export async function checkCaptchaForCode(ctx: Ctx, form: CaptchaPurpose, answer: CaptchaAnswer): Promise<void> {
  if (!captchaNeeded(ctx.settings, 'code')) return
  assertAnswered(answer)
  const row = await ctx.db.deleteFrom('captcha').where('id', '=', answer.captcha_id).returningAll().executeTakeFirst()
  const purpose = row?.purpose === form ? form : 'code'
  if (!row || !isCorrect(ctx, row, purpose, answer)) throw errors.captcha.wrong()
}

/** Registration uses one captcha twice: here for the mailed code, after which it stays valid for the form. */
export async function checkCaptchaForMail(ctx: Ctx, purpose: CaptchaPurpose, answer: CaptchaAnswer): Promise<void> {
  if (!captchaNeeded(ctx.settings, purpose)) return
  assertAnswered(answer)
  const row = await ctx.db
    .updateTable('captcha')
    .set({ mailed: 1 })
    .where('id', '=', answer.captcha_id)
    .where('mailed', '=', 0)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw errors.captcha.wrong()
  if (isCorrect(ctx, row, purpose, answer)) return
  await ctx.db.deleteFrom('captcha').where('id', '=', row.id).execute()
  throw errors.captcha.wrong()
}

export async function purgeCaptchas(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('captcha').where('expires_at', '<', ctx.now()).execute()
}

function captchaNeeded({ security }: Settings, purpose: CaptchaPurpose): boolean {
  return security[`enable_captcha_${purpose}`]
}

function assertAnswered({ captcha, captcha_id }: CaptchaAnswer): void {
  if (!captcha || !captcha_id) throw errors.captcha.needed()
}

function isCorrect(
  ctx: Ctx,
  row: { purpose: string; answer: string; expires_at: number },
  purpose: CaptchaPurpose,
  { captcha }: CaptchaAnswer,
): boolean {
  const hashed = hmac(ctx.keys.codes, captcha.trim().toLowerCase())
  return row.purpose === purpose && row.expires_at > ctx.now() && timingSafeEqualText(row.answer, hashed)
}
