import { randomBytes } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import { alipay } from './alipay/alipay.ts'
import { type PayEnvironment, type PayProvider, PayProviderError, type PayProviderName } from './pay-provider.ts'
import { wechatPay } from './wechat/wechat-pay.ts'

export const payProviderNames = ['wechat', 'alipay', 'third', 'trial'] as const satisfies PayProviderName[]

type Open = (settings: Settings, environment: PayEnvironment) => PayProvider

const providers: Record<PayProviderName, Open> = {
  wechat: ({ pay, miniprogram }, environment) => wechatPay(pay, environment, { miniProgramAppId: miniprogram.app_id }),
  alipay: ({ pay }, environment) => alipay(pay, environment),
  third: () => {
    throw new PayProviderError('not-configured', '还不能使用')
  },
  trial: () => {
    throw new PayProviderError('not-configured', '还不能使用')
  },
}

/** One for each state of the settings: providers keep certificates that they have downloaded. */
const opened = new WeakMap<Settings, Map<PayProviderName, PayProvider>>()

/** A provider as the settings describe it; wrong settings show with its first call. */
export function openProvider(
  name: PayProviderName,
  { settings, now }: { settings: Settings; now(): number },
): PayProvider {
  const known = opened.get(settings) ?? new Map<PayProviderName, PayProvider>()
  opened.set(settings, known)
  const provider = known.get(name) ?? providers[name](settings, { now, nonce: () => randomBytes(16).toString('hex') })
  known.set(name, provider)
  return provider
}
