import { errors } from '#shared/errors.ts'
import { findField } from '#shared/settings.ts'
import { fromText } from '#shared/setting-fields.ts'
import type { Ctx } from '#server/context.ts'
import { renderMail } from '#server/modules/mail/mail.templates.ts'
import type { Change } from './settings.store.ts'

/** Saving the mail settings with a test address sends a real mail, so that a wrong password shows at once. */
export async function sendTestMail(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  const email = { ...ctx.settings.email }
  for (const { name, value } of changes.filter(({ category }) => category === 'email')) {
    const field = findField('email', name)
    const result = field && fromText(field, value)
    if (result && 'value' in result) Object.assign(email, { [name]: result.value })
  }
  const touched = changes.some(({ category }) => category === 'email')
  if (!touched || !email.enable || !email.test_email) return
  const message = renderMail(ctx.settings.system.sitename, 'test', {})
  const delivery = await ctx.mail.send({ ...ctx.settings, email }, { to: email.test_email, ...message })
  if (!delivery.accepted) throw errors.mail.failed(delivery.reason)
}

/** Prevents staff from having the stored password sent to another server. */
export function assertSecretStaysWithServer({ settings }: Ctx, changes: readonly Change[]): void {
  const { email } = settings
  const changed = new Map(
    changes.filter(({ category }) => category === 'email').map(({ name, value }) => [name, value]),
  )
  const moves = (['host', 'port', 'username', 'is_tls'] as const).some(
    (name) => changed.has(name) && changed.get(name)?.trim() !== String(email[name]),
  )
  if (moves && email.password && !changed.has('password')) throw errors.settings.passwordAgain()
}
