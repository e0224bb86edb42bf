import type { Site } from '#web/domain/site.ts'

export const topUpPath = '/order/topup'

/** Where an order is paid. */
export function orderPath({ order_no }: { order_no: string }): string {
  return `/order?${new URLSearchParams({ order_no })}`
}

/** The receipt of an order. */
export function receiptPath({ order_no }: { order_no: string }): string {
  return `/me/order/${order_no}`
}

/** Whether a document can be paid for otherwise than with credits. */
export function takesOtherThanCredits(settings: Pick<Site['settings'], 'payment' | 'download'>): boolean {
  return takesMoney(settings) || settings.download.enable_code_download
}

/** Whether members can pay with money, and so buy credits. */
export function takesMoney({ payment }: Pick<Site['settings'], 'payment'>): boolean {
  return [
    payment.enable_wechatpay,
    payment.enable_alipay,
    payment.enable_thirdpay,
    payment.enable_bankcard,
    payment.enable_cash,
    payment.enable_other,
    payment.test_mode,
  ].includes(true)
}
