import { errors } from '#shared/errors.ts'
import { maskedSecret } from '#shared/setting-fields.ts'
import { findField, type GroupName, type Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import type { Change } from './parse-setting.ts'

/** A mask that comes back leaves its secret as it is. */
export function withoutMasks(changes: readonly Change[]): Change[] {
  return changes.filter(({ category, name, value }) => !(findField(category, name)?.secret && value === maskedSecret))
}

/** By group: the addresses that stored secrets are sent to, or that get what is signed with them. */
const gatewaySecrets = {
  pay: {
    wechat_gateway: ['wechat_api_key', 'wechat_private_key'],
    wechat_api_gateway: ['wechat_app_secret'],
    alipay_gateway: ['alipay_private_key'],
    third_gateway: ['third_key', 'third_private_key'],
  },
  oauth: {
    wechat_api_gateway: ['wechat_secret', 'wechatoa_secret'],
    qq_gateway: ['qq_secret'],
    weibo_gateway: ['weibo_secret'],
    github_gateway: ['github_secret'],
    gitee_gateway: ['gitee_secret'],
    google_gateway: ['google_secret'],
    oidc_issuer: ['oidc_secret'],
  },
  miniprogram: { gateway: ['app_secret'] },
  // Another provider is another server, and the body of an owner's own interface may hold the secret in plain text.
  sms: { endpoint: ['access_secret'], provider: ['access_secret'], http_body: ['access_secret'] },
} satisfies { [G in GroupName]?: { [K in keyof Settings[G]]?: (keyof Settings[G])[] } }

/** Prevents staff from having a stored secret sent to another server. */
export function assertSecretsStay({ settings }: Pick<Ctx, 'settings'>, changes: readonly Change[]): void {
  const { email } = settings
  const changed = new Map(changes.map(({ category, name, value }) => [`${category}.${name}`, value.trim()]))
  const isChanged = (path: string, current: unknown) => changed.has(path) && changed.get(path) !== String(current)
  const moves = (['host', 'port', 'username', 'is_tls'] as const).some((name) =>
    isChanged(`email.${name}`, email[name]),
  )
  if (moves && email.password && !changed.has('email.password'))
    throw errors.settings.passwordAgain().at('email.password')
  for (const [group, gateways] of Object.entries(gatewaySecrets)) {
    const current: Record<string, unknown> = settings[group as GroupName]
    for (const [gateway, secrets] of Object.entries<readonly string[]>(gateways)) {
      const kept = secrets.find((name) => current[name] && !changed.has(`${group}.${name}`))
      if (kept && isChanged(`${group}.${gateway}`, current[gateway]))
        throw errors.settings.secretAgain(findField(group, kept)?.label ?? '密钥').at(`${group}.${kept}`)
    }
  }
}
