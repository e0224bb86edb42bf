import { randomBytes } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import type { Keys } from '#server/keys.ts'
import { alipay } from './alipay/alipay.ts'
import type { PayEnvironment, PayProvider, PayProviderName } from './pay-provider.ts'
import { thirdPartyPay } from './third/third-party-pay.ts'
import { trialPay } from './trial/trial-pay.ts'
import { wechatPay, type WeChatPay } from './wechat/wechat-pay.ts'

export const payProviderNames = ['wechat', 'alipay', 'third', 'trial'] as const satisfies PayProviderName[]

interface Providers extends Record<PayProviderName, PayProvider> {
  wechat: WeChatPay
}

type Open<P> = (settings: Settings, environment: PayEnvironment, keys: Keys) => P

const providers: { [N in PayProviderName]: Open<Providers[N]> } = {
  wechat: ({ pay, miniprogram }, environment) => wechatPay(pay, environment, { miniProgramAppId: miniprogram.app_id }),
  alipay: ({ pay }, environment) => alipay(pay, environment),
  third: ({ pay }, environment) => thirdPartyPay(pay, environment),
  trial: ({ pay }, environment, { links }) => trialPay(pay, environment, links),
}

/** One for each state of the settings: providers keep certificates that they have downloaded. */
const opened = new WeakMap<Settings, Partial<Providers>>()

/** A provider as the settings describe it; wrong settings show with its first call. */
export function openProvider<N extends PayProviderName>(
  name: N,
  { settings, keys, now }: { settings: Settings; keys: Keys; now(): number },
): Providers[N] {
  const known = opened.get(settings) ?? {}
  opened.set(settings, known)
  const provider: Providers[N] =
    known[name] ?? providers[name](settings, { now, nonce: () => randomBytes(16).toString('hex') }, keys)
  known[name] = provider
  return provider
}
