import type { PublicSettings } from '#shared/contract/settings.ts'
import { PaymentMethod } from '#shared/enums.ts'
import { methodTitle } from '#shared/payment-methods.ts'
import { isWayOffered } from '#shared/pay-problems.ts'
import type { Settings } from '#shared/settings.ts'

/** How members may pay, without the ways that cannot work, by the names that existing clients know. */
export function publicPayment(settings: Pick<Settings, 'pay' | 'system' | 'miniprogram'>): PublicSettings['payment'] {
  const { pay } = settings
  return {
    enable_wechatpay: isWayOffered(settings, 'wechat'),
    enable_mp_wechatpay: isWayOffered(settings, 'mp_wechat'),
    enable_alipay: isWayOffered(settings, 'alipay'),
    enable_thirdpay: isWayOffered(settings, 'third'),
    enable_bankcard: isWayOffered(settings, 'bank_card'),
    enable_cash: isWayOffered(settings, 'cash'),
    enable_other: isWayOffered(settings, 'other'),
    enable_advertisement: pay.enable_advertisement,
    third_title: methodTitle(PaymentMethod.ThirdParty, pay),
    other_title: methodTitle(PaymentMethod.Other, pay),
    test_mode: pay.test_mode,
    topup_amounts: pay.topup_amounts,
    topup_bonus: pay.topup_bonus,
  }
}
