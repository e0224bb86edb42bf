import { randomBytes } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import type { Keys } from '#server/keys.ts'
import { alipay } from './alipay/alipay.ts'
import type { PayEnvironment, PayProvider, PayProviderName } from './pay-provider.ts'
import { thirdPartyPay } from './third/third-party-pay.ts'
import { trialPay } from './trial/trial-pay.ts'
import { wechatPay } from './wechat/wechat-pay.ts'

export const payProviderNames = ['wechat', 'alipay', 'third', 'trial'] as const satisfies PayProviderName[]

type Open = (settings: Settings, environment: PayEnvironment, keys: Keys) => PayProvider

const providers: Record<PayProviderName, Open> = {
  wechat: ({ pay, miniprogram }, environment) => wechatPay(pay, environment, { miniProgramAppId: miniprogram.app_id }),
  alipay: ({ pay }, environment) => alipay(pay, environment),
  third: ({ pay }, environment) => thirdPartyPay(pay, environment),
  trial: ({ pay }, environment, { links }) => trialPay(pay, environment, links),
}

/** One for each state of the settings: providers keep certificates that they have downloaded. */
const opened = new WeakMap<Settings, Map<PayProviderName, PayProvider>>()

/** A provider as the settings describe it; wrong settings show with its first call. */
export function openProvider(
  name: PayProviderName,
  { settings, keys, now }: { settings: Settings; keys: Keys; now(): number },
): PayProvider {
  const known = opened.get(settings) ?? new Map<PayProviderName, PayProvider>()
  opened.set(settings, known)
  const provider =
    known.get(name) ?? providers[name](settings, { now, nonce: () => randomBytes(16).toString('hex') }, keys)
  known.set(name, provider)
  return provider
}
