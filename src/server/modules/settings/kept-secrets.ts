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
  wechat_api_gateway: ['wechat_app_secret'],
  alipay_gateway: ['alipay_private_key'],
  third_gateway: ['third_key', 'third_private_key'],
} as const

/** Prevents staff from having a stored secret sent to another server. */
export function assertSecretsStay(
  { settings: { email, pay, miniprogram, sms } }: Ctx,
  changes: readonly Change[],
): void {
  const changed = new Map(changes.map(({ category, name, value }) => [`${category}.${name}`, value.trim()]))
  const isChanged = (path: string, current: unknown) => changed.has(path) && changed.get(path) !== String(current)
  const moves = (['host', 'port', 'username', 'is_tls'] as const).some((name) =>
    isChanged(`email.${name}`, email[name]),
  )
  if (moves && email.password && !changed.has('email.password'))
    throw errors.settings.passwordAgain().at('email.password')
  const secretAgain = (group: string, name: string) =>
    errors.settings.secretAgain(findField(group, name)?.label ?? '密钥').at(`${group}.${name}`)
  for (const gateway of Object.keys(gatewaySecrets) as (keyof typeof gatewaySecrets)[]) {
    const kept = gatewaySecrets[gateway].find((secret) => pay[secret] && !changed.has(`pay.${secret}`))
    if (kept && isChanged(`pay.${gateway}`, pay[gateway])) throw secretAgain('pay', kept)
  }
  // Another provider is another server, and the body of an owner's own interface may hold the secret in plain text.
  const movesSms = (['endpoint', 'provider', 'http_body'] as const).some((name) => isChanged(`sms.${name}`, sms[name]))
  if (movesSms && sms.access_secret && !changed.has('sms.access_secret')) throw secretAgain('sms', 'access_secret')
  const movesMiniProgram = isChanged('miniprogram.gateway', miniprogram.gateway)
  if (movesMiniProgram && miniprogram.app_secret && !changed.has('miniprogram.app_secret'))
    throw secretAgain('miniprogram', 'app_secret')
}
