import type { CaptchaPurpose } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { makeCaptcha } from '#server/gateways/captcha/captcha.ts'
import { sameText, sealed } from '#server/keys.ts'

interface Answer {
  captcha: string
  captcha_id: string
}

const lifeMs = 10 * 60_000

export async function askCaptcha(ctx: Ctx, purpose: CaptchaPurpose) {
  if (!captchaNeeded(ctx.settings, purpose)) return { enable: false, id: '', captcha: '', type: '' }
  const { answer, data } = await makeCaptcha(ctx.settings.captcha)
  const id = ctx.id()
  const row = { id, purpose, answer: sealed(ctx.keys.codes, answer), expires_at: ctx.now() + lifeMs }
  await ctx.db.insertInto('captcha').values(row).execute()
  return { enable: true, id, captcha: data, type: ctx.settings.captcha.type }
}

/** Each captcha serves once, for what it was asked for, right or wrong. */
export async function checkCaptcha(ctx: Ctx, purpose: CaptchaPurpose, answer: Answer): Promise<void> {
  if (!captchaNeeded(ctx.settings, purpose)) return
  refuseEmpty(answer)
  const row = await ctx.db.deleteFrom('captcha').where('id', '=', answer.captcha_id).returningAll().executeTakeFirst()
  if (!row || !answers(ctx, row, purpose, answer)) throw errors.captcha.wrong()
}

/** Registration asks once and checks twice: for the mailed code, which leaves the captcha good for the form itself. */
export async function checkCaptchaForMail(ctx: Ctx, purpose: CaptchaPurpose, answer: Answer): Promise<void> {
  if (!captchaNeeded(ctx.settings, purpose)) return
  refuseEmpty(answer)
  const row = await ctx.db
    .updateTable('captcha')
    .set({ mailed: 1 })
    .where('id', '=', answer.captcha_id)
    .where('mailed', '=', 0)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw errors.captcha.wrong()
  if (answers(ctx, row, purpose, answer)) return
  await ctx.db.deleteFrom('captcha').where('id', '=', row.id).execute()
  throw errors.captcha.wrong()
}

export async function purgeCaptchas(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('captcha').where('expires_at', '<', ctx.now()).execute()
}

function captchaNeeded({ security }: Settings, purpose: CaptchaPurpose): boolean {
  return security[`enable_captcha_${purpose}`]
}

function refuseEmpty({ captcha, captcha_id }: Answer): void {
  if (!captcha || !captcha_id) throw errors.captcha.needed()
}

function answers(
  ctx: Ctx,
  row: { purpose: string; answer: string; expires_at: number },
  purpose: CaptchaPurpose,
  { captcha }: Answer,
): boolean {
  const given = sealed(ctx.keys.codes, captcha.trim().toLowerCase())
  return row.purpose === purpose && row.expires_at > ctx.now() && sameText(row.answer, given)
}
