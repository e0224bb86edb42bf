import type { PublicSettings } from '#shared/contract/settings.ts'
import type { Settings } from '#shared/settings.ts'

/** How members may pay, by the names that existing clients know. */
export function publicPayment({ pay }: Pick<Settings, 'pay'>): PublicSettings['payment'] {
  return {
    enable_wechatpay: pay.enable_wechat,
    enable_mp_wechatpay: pay.enable_mp_wechat,
    enable_alipay: pay.enable_alipay,
    enable_thirdpay: pay.enable_third,
    enable_bankcard: pay.enable_bank_card,
    enable_cash: pay.enable_cash,
    enable_other: pay.enable_other,
    test_mode: pay.test_mode,
    topup_amounts: pay.topup_amounts,
    topup_bonus: pay.topup_bonus,
  }
}
