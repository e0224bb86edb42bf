import type { StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, PaymentMethod, paymentMethodLabels } from '#shared/enums.ts'
import { givenBack, takenBack, type TakenBack } from '#shared/order-texts.ts'
import { creditNameOf, type Site } from '#web/domain/site.ts'

/** What the texts of the interface are called in the back office. */

export const providerNames: Record<string, string> = {
  wechat: '微信支付',
  alipay: '支付宝',
  third: '第三方支付',
}

/** The methods of payment, by the owner's names where those are the owner's to give. */
export function methodLabels(site: Pick<Site, 'settings'>): Record<PaymentMethod, string> {
  const { third_title, other_title } = site.settings.payment
  return {
    ...paymentMethodLabels,
    [PaymentMethod.ThirdParty]: third_title,
    [PaymentMethod.Other]: other_title,
    [PaymentMethod.Credits]: `${creditNameOf(site)}支付`,
  }
}

export const attemptStates: Record<string, string> = {
  open: '等待付款',
  paid: '已付',
  surplus: '多收',
  closed: '已关闭',
}

export const noticeOutcomes: Record<string, string> = {
  settled: '已结清',
  repeated: '重复',
  surplus: '多收',
  refused: '不接受',
}

export const refundStates: Record<string, string> = { processing: '处理中', done: '已退', refused: '被拒绝' }

export const statusColors: Record<OrderStatus, string | undefined> = {
  [OrderStatus.Pending]: 'gold',
  [OrderStatus.Paid]: 'green',
  [OrderStatus.Closed]: undefined,
}

const takenBackLabels: Record<TakenBack, string> = {
  no: '',
  running: '退款处理中',
  partial: '退了一部分',
  refunded: '已退款',
  withdrawn: '已撤回',
}

/** Beside the status of a paid order; empty for one that was left as it was. */
export function takenBackLabel(order: StaffOrder): string {
  const state = takenBack(order)
  return state === 'partial' && givenBack(order.payment_type) === 'nothing' ? '撤回了一部分' : takenBackLabels[state]
}

/** A word that is not known yet is shown as it is. */
export function nameOf(names: Record<string, string>, word: string): string {
  return names[word] ?? word
}
