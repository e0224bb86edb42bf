import { type Site, useSite } from '#web/domain/site.ts'
import { type Session, useSession } from '#web/lib/session.ts'

export const topUpPath = '/order/topup'
export const joinVipPath = '/joinvip'

/** Where an order is paid. */
export function orderPath({ order_no }: { order_no: string }): string {
  return `/order?${new URLSearchParams({ order_no })}`
}

/** The receipt of an order. */
export function receiptPath({ order_no }: { order_no: string }): string {
  return `/me/order/${order_no}`
}

/** Whether a document can be paid for otherwise than with credits. */
export function useTakesOtherThanCredits(): boolean {
  const { enable_code_download } = useSite().settings.download
  return useTakesMoney() || enable_code_download
}

export function useTakesMoney(): boolean {
  return takesMoney(useSite().settings, useSession())
}

/** Whether this member can pay with money, or as if, and so buy credits. */
export function takesMoney({ payment }: Pick<Site['settings'], 'payment'>, session: Session): boolean {
  return [
    payment.enable_wechatpay,
    payment.enable_alipay,
    payment.enable_thirdpay,
    payment.enable_bankcard,
    payment.enable_cash,
    payment.enable_other,
    isTrialFor(payment, session),
  ].includes(true)
}

/** Whether payments are tried out, and this member may. */
export function isTrialFor({ test_mode }: Site['settings']['payment'], { mayTryPaying }: Session): boolean {
  return test_mode && mayTryPaying
}

/** Whether a card can be bought; where the owner gives VIP away alone, it is not advertised. */
export function sellsVip({ vip }: Pick<Site['settings'], 'vip'>): boolean {
  return vip.enable && Math.max(vip.year_price, vip.quarter_price, vip.month_price) > 0
}

/** Whether a document costs VIP members nothing: a VIP document, or any while a card that is sold has a discount of 0. */
export function isFreeForVip(
  { price, is_vip }: { price: number; is_vip: boolean },
  { vip }: Pick<Site['settings'], 'vip'>,
): boolean {
  const cards = [
    [vip.year_price, vip.year_document_discount],
    [vip.quarter_price, vip.quarter_document_discount],
    [vip.month_price, vip.month_document_discount],
  ] as const
  return is_vip || (price > 0 && vip.enable && cards.some(([fen, percent]) => fen > 0 && percent === 0))
}

/** Whether what VIP brings concerns this viewer: who may buy it, or has it. */
export function concernsVip(settings: Pick<Site['settings'], 'vip'>, { user }: Pick<Session, 'user'>): boolean {
  return sellsVip(settings) || (settings.vip.enable && user.is_vip)
}

export function useConcernsVip(): boolean {
  return concernsVip(useSite().settings, useSession())
}
