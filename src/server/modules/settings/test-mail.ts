import type { mailTests } from '#shared/contract/mail.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { mailTemplates, sampleParams } from '#shared/mail-templates.ts'
import type { Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import type { Delivery } from '#server/gateways/mail.ts'
import { renderTemplate } from '#server/modules/mail/mail.templates.ts'
import { applyChanges, assertValid, type Change } from './parse-setting.ts'
import { assertSecretsStay, withoutMasks } from './kept-secrets.ts'

/** Sends a mail with values that are not saved: those of a form that is being filled in. */
export async function testMail(ctx: Ctx, { config, to, template }: Input<typeof mailTests.send>): Promise<void> {
  const changes = withoutMasks(config)
  ctx.audit?.({ change: `${mailTemplates[template].title}: ${to}` })
  assertValid(ctx, changes)
  assertSecretsStay(ctx, changes)
  const changed = applyChanges(ctx.settings, changes)
  if (!changed.email.host) throw errors.mail.noServer().at('email.host')
  const message = renderTemplate(changed, template, sampleParams(template))
  // It can be tested before it is enabled.
  const enabled: Settings = { ...changed, email: { ...changed.email, enable: true } }
  assertAccepted(await ctx.mail.send(enabled, { to, ...message }))
}

/** Clients that send the test address with the other settings expect a mail, so that a wrong password shows at once. */
export async function mailTestAddress(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  const isSent = changes.some(({ category, name }) => category === 'email' && name === 'test_email')
  const changed = applyChanges(ctx.settings, changes)
  const { enable, test_email: to } = changed.email
  if (!isSent || !enable || !to) return
  assertAccepted(await ctx.mail.send(changed, { to, ...renderTemplate(changed, 'test', {}) }))
}

function assertAccepted(delivery: Delivery): void {
  if (delivery.accepted) return
  const { reason, field } = delivery
  const failed = errors.mail.failed(reason)
  throw field ? failed.at(`email.${field}`, reason) : failed
}
