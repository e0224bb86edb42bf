import { randomInt } from 'node:crypto'
import type { smsTests } from '#shared/contract/sms.ts'
import type { Input } from '#shared/endpoint.ts'
import { codeSceneLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { maskMobile } from '#shared/mobile.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertSecretsStay, withoutMasks } from '#server/modules/settings/kept-secrets.ts'
import { applyChanges, assertValid } from '#server/modules/settings/parse-setting.ts'
import { addRecord, deliverSms } from './send-sms.ts'

/** Sends a message with values that are not saved: those of a form that is being filled in. Its code is good for nothing. */
export async function testSms(ctx: Ctx, { config, mobile, scene }: Input<typeof smsTests.send>): Promise<void> {
  const changes = withoutMasks(config)
  ctx.audit?.({ change: `${codeSceneLabels[scene]}: ${maskMobile(mobile)}` })
  assertValid(ctx, changes)
  assertSecretsStay(ctx, changes)
  const tested: Ctx = { ...ctx, settings: applyChanges(ctx.settings, changes) }
  const id = await transaction(tested, (ctx) => addRecord(ctx, { mobile, scene }))
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const outcome = await deliverSms(tested, id, { mobile, scene, code })
  if (outcome.kind === 'refused') throw errors.sms.testFailed(outcome.reason)
  if (outcome.kind === 'unknown') throw errors.sms.testUnanswered(outcome.reason)
}
