import type { PayProviderName } from '#shared/payment-methods.ts'
import type { Ctx } from '#server/context.ts'
import type { PayProvider } from '#server/gateways/pay/pay-provider.ts'
import { openProvider } from '#server/gateways/pay/open-provider.ts'

export const providerTitles: Record<PayProviderName, string> = {
  wechat: '微信支付',
  alipay: '支付宝',
  third: '第三方支付',
}

/** Those that the owner has switched on. */
export function findProvider(ctx: Ctx, name: PayProviderName): PayProvider | undefined {
  return ctx.settings.pay[`enable_${name}`] ? openProvider(name, ctx) : undefined
}

/** Also one that is switched off since: what was begun with it is still followed. */
export function getProvider(ctx: Ctx, name: PayProviderName): PayProvider {
  return openProvider(name, ctx)
}
