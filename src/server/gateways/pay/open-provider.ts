import { randomBytes } from 'node:crypto'
import type { PayProviderName } from '#shared/payment-methods.ts'
import type { Settings } from '#shared/settings.ts'
import { alipay } from './alipay/alipay.ts'
import type { PayEnvironment, PayProvider } from './pay-provider.ts'
import { thirdPartyPay } from './third/third-party-pay.ts'
import { wechatPay, type WeChatPay } from './wechat/wechat-pay.ts'

interface Providers extends Record<PayProviderName, PayProvider> {
  wechat: WeChatPay
}

type Open<P> = (settings: Settings, environment: PayEnvironment) => P

const providers: { [N in PayProviderName]: Open<Providers[N]> } = {
  wechat: ({ pay, miniprogram }, environment) => wechatPay(pay, environment, { miniProgramAppId: miniprogram.app_id }),
  alipay: ({ pay }, environment) => alipay(pay, environment),
  third: ({ pay }, environment) => thirdPartyPay(pay, environment),
}

/** One for each state of the settings: providers keep certificates that they have downloaded. */
const opened = new WeakMap<Settings, Partial<Providers>>()

/** A provider as the settings describe it; wrong settings show with its first call. */
export function openProvider<N extends PayProviderName>(
  name: N,
  { settings, now }: { settings: Settings; now(): number },
): Providers[N] {
  const known = opened.get(settings) ?? {}
  opened.set(settings, known)
  const provider: Providers[N] =
    known[name] ?? providers[name](settings, { now, nonce: () => randomBytes(16).toString('hex') })
  known[name] = provider
  return provider
}
