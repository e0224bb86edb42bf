import { CodeScene, codeSceneLabels, SmsStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { maskMobile } from '#shared/mobile.ts'
import type { Settings } from '#shared/settings.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { openSmsDriver } from '#server/gateways/sms/open-driver.ts'
import { refused, type SmsOutcome } from '#server/gateways/sms/sms-driver.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { throttle } from '#server/modules/auth/attempts.ts'
import { type CodeAddress, createCode } from '#server/modules/auth/verification-codes.ts'

const minIntervalMs = 60_000
const minuteMs = 60_000

interface CodeRequest {
  mobile: string
  scene: CodeScene
}

export function mobileTarget(mobile: string, scene: CodeScene): CodeAddress {
  return { kind: 'mobile', target: mobile, scene }
}

export function assertSmsEnabled({ sms }: Pick<Settings, 'sms'>): void {
  if (!sms.enable) throw errors.sms.off()
}

/**
 * Sends a code, once. Without an answer of the provider the message stays "sending", and the visitor is told the same as
 * after a success: it may arrive.
 */
export async function sendSmsCode(ctx: Ctx, { mobile, scene }: CodeRequest): Promise<void> {
  assertSmsEnabled(ctx.settings)
  const { duration } = ctx.settings.sms
  const { id, code } = await transaction(ctx, async (ctx) => {
    await assertWithinLimits(ctx, mobile)
    const code = await createCode(ctx, mobileTarget(mobile, scene), duration * minuteMs)
    return { id: await addRecord(ctx, { mobile, scene }), code }
  })
  const outcome = await deliverSms(ctx, id, { mobile, scene, code })
  if (outcome.kind === 'refused') throw errors.sms.failed()
}

/** Adds the record of a message that is about to be sent. */
export async function addRecord(ctx: Ctx, { mobile, scene }: CodeRequest): Promise<number> {
  const { provider } = ctx.settings.sms
  const now = ctx.now()
  const { id } = await ctx.db
    .insertInto('sms')
    .values({
      mobile,
      scene,
      provider,
      status: SmsStatus.Sending,
      ip: ctx.origin.ip,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Sends the message of a record, and records what became of it. */
export async function deliverSms(ctx: Ctx, id: number, message: CodeRequest & { code: string }): Promise<SmsOutcome> {
  const { sms } = ctx.settings
  const { mobile, scene, code } = message
  const template = findTemplate(sms, scene)
  const outcome =
    template === '' && sms.provider !== 'haomas'
      ? refused(`没有填写${codeSceneLabels[scene]}的短信模板`)
      : await openSmsDriver(sms, ctx).send({ mobile, template, code, minutes: sms.duration })
  const segments = outcome.kind === 'sent' ? outcome.segments : outcome.kind === 'unknown' ? 1 : 0
  await ctx.db
    .updateTable('sms')
    .set({
      status: statusOf[outcome.kind],
      reason: outcome.kind === 'sent' ? '' : withoutPrivate(outcome.reason, message),
      segments,
      cost: segments * sms.price,
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .execute()
  return outcome
}

const statusOf: Record<SmsOutcome['kind'], SmsStatus> = {
  sent: SmsStatus.Sent,
  refused: SmsStatus.Failed,
  unknown: SmsStatus.Sending,
}

/** Providers may repeat what they were sent. */
function withoutPrivate(reason: string, { mobile, code }: { mobile: string; code: string }): string {
  return reason.replaceAll(mobile, maskMobile(mobile)).replaceAll(code, '***')
}

function findTemplate(sms: Settings['sms'], scene: CodeScene): string {
  const templates: Record<CodeScene, string> = {
    [CodeScene.Register]: sms.template_register,
    [CodeScene.Login]: sms.template_login,
    [CodeScene.FindPassword]: sms.template_find_password,
    [CodeScene.BindMobile]: sms.template_bind || sms.template_login,
    [CodeScene.ProveMobile]: sms.template_bind || sms.template_login,
  }
  return templates[scene]
}

/** In the transaction of the record: what one limit refuses does not count for the others. */
async function assertWithinLimits(ctx: Ctx, mobile: string): Promise<void> {
  const { sms } = ctx.settings
  const secondsLeft = await throttle(ctx, `sms:${mobile}`, minIntervalMs)
  if (secondsLeft > 0) throw errors.sms.tooSoon(secondsLeft)
  const toNumber = { quota: 'sms.mobile', subject: mobile, limit: sms.times_every_day }
  if (!(await consumeQuota(ctx, toNumber))) throw errors.sms.tooManyToNumber()
  const fromAddress = { quota: 'sms.network', subject: ctx.origin.network, limit: sms.times_every_address }
  if (!(await consumeQuota(ctx, fromAddress))) throw errors.sms.tooManyFromAddress()
  if (!(await consumeQuota(ctx, { quota: 'sms.site', subject: '', limit: sms.times_whole_site })))
    throw errors.sms.tooManyToday()
}
