import { errors } from '#shared/errors.ts'
import { maskedSecret } from '#shared/setting-fields.ts'
import { findField } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import type { Change } from './parse-setting.ts'

/** A mask that comes back leaves its secret as it is. */
export function withoutMasks(changes: readonly Change[]): Change[] {
  return changes.filter(({ category, name, value }) => !(findField(category, name)?.secret && value === maskedSecret))
}

/** The secrets that go to a payment provider, or sign what goes there. */
const gatewaySecrets = {
  wechat_gateway: ['wechat_api_key', 'wechat_private_key'],
  alipay_gateway: ['alipay_private_key'],
  third_gateway: ['third_key', 'third_private_key'],
} as const

/** Prevents staff from having a stored secret sent to another server. */
export function assertSecretsStay({ settings: { email, pay } }: Ctx, changes: readonly Change[]): void {
  const changed = new Map(changes.map(({ category, name, value }) => [`${category}.${name}`, value.trim()]))
  const isChanged = (path: string, current: unknown) => changed.has(path) && changed.get(path) !== String(current)
  const moves = (['host', 'port', 'username', 'is_tls'] as const).some((name) =>
    isChanged(`email.${name}`, email[name]),
  )
  if (moves && email.password && !changed.has('email.password'))
    throw errors.settings.passwordAgain().at('email.password')
  for (const gateway of ['wechat_gateway', 'alipay_gateway', 'third_gateway'] as const) {
    const kept = gatewaySecrets[gateway].find((secret) => pay[secret] && !changed.has(`pay.${secret}`))
    if (kept && isChanged(`pay.${gateway}`, pay[gateway]))
      throw errors.settings.secretAgain(findField('pay', kept)?.label ?? '密钥').at(`pay.${kept}`)
  }
}
