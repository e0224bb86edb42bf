import type { PublicSettings } from '#shared/contract/settings.ts'
import { PaymentMethod } from '#shared/enums.ts'
import { methodTitle } from '#shared/payment-methods.ts'
import { isProviderOffered } from '#shared/pay-problems.ts'
import type { Settings } from '#shared/settings.ts'

/** How members may pay, without the ways that cannot work, by the names that existing clients know. */
export function publicPayment(settings: Pick<Settings, 'pay' | 'system'>): PublicSettings['payment'] {
  const { pay } = settings
  return {
    enable_wechatpay: isProviderOffered(settings, 'wechat'),
    enable_mp_wechatpay: pay.enable_mp_wechat,
    enable_alipay: isProviderOffered(settings, 'alipay'),
    enable_thirdpay: isProviderOffered(settings, 'third'),
    enable_bankcard: pay.enable_bank_card,
    enable_cash: pay.enable_cash,
    enable_other: pay.enable_other,
    enable_advertisement: pay.enable_advertisement,
    other_title: methodTitle(PaymentMethod.Other, pay),
    test_mode: pay.test_mode,
    topup_amounts: pay.topup_amounts,
    topup_bonus: pay.topup_bonus,
  }
}
