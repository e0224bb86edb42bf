import { PaymentMethod } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { PayProvider, PayProviderName } from '#server/gateways/pay/pay-provider.ts'
import { openProvider } from '#server/gateways/pay/open-provider.ts'

/** The methods that a provider handles. */
export const providerOf: Partial<Record<PaymentMethod, PayProviderName>> = {
  [PaymentMethod.WeChatPay]: 'wechat',
  [PaymentMethod.Alipay]: 'alipay',
  [PaymentMethod.ThirdParty]: 'third',
  [PaymentMethod.Other]: 'trial',
}

export const providerTitles: Record<PayProviderName, string> = {
  wechat: '微信支付',
  alipay: '支付宝',
  third: '第三方支付',
  trial: '试运行',
}

/** Those that the owner has switched on. */
export function findProvider(ctx: Ctx, name: PayProviderName): PayProvider | undefined {
  return isEnabled(ctx, name) ? openProvider(name, ctx) : undefined
}

/** Also one that is switched off since: what was begun with it is still followed. */
export function getProvider(ctx: Ctx, name: PayProviderName): PayProvider {
  return openProvider(name, ctx)
}

function isEnabled({ settings: { pay } }: Ctx, name: PayProviderName): boolean {
  const switches: Record<PayProviderName, boolean> = {
    wechat: pay.enable_wechat,
    alipay: pay.enable_alipay,
    third: pay.enable_third,
    trial: pay.test_mode,
  }
  return switches[name]
}
