import type { Settings } from '#shared/settings.ts'
import { type PayProvider, PayProviderError, type PayProviderName } from './pay-provider.ts'

export const payProviderNames = ['wechat', 'alipay', 'third', 'trial'] as const satisfies PayProviderName[]

/** A provider as the settings describe it. */
export function openProvider(name: PayProviderName, _environment: { settings: Settings; now(): number }): PayProvider {
  throw new PayProviderError('not-configured', `${name} 还不能使用`)
}
